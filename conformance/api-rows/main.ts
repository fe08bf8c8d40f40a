#!/usr/bin/env -S npx tsx
// Runs recorded request sequences against a server and compares its responses with those of kube-apiserver:
//   npx tsx conformance/api-rows/main.ts --url URL [--token TOKEN] [--ca FILE] [--client-cert FILE --client-key FILE]
//     [--kubernetes 1.37|1.36] [--area a,b] [--match REGEXP] [--jobs N] [--max N] [--json]
// The rows are those of the version of the server, or of --kubernetes; without a server, those of the newest version.
// Exits with 0 only if all are the same. --json prints one line of JSON per row.
// --record writes the server's responses as the expected ones of the neighbors instead of comparing them.
// --print prints the recorded rows, one line of JSON per row. --add FILE adds such lines to the neighbors, without or with
// `expected`, or replaces the neighbors of the same names. Both need no server.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { compare, report } from "./runner/compare.ts";
import type { Row, Transcript } from "./runner/row.ts";
import {
  addNeighbors,
  lineOf,
  readNeighbors,
  readRows,
  type Version,
  versionOf,
  versions,
  writeNeighbors,
} from "./runner/rows.ts";
import { runScenario } from "./runner/run.ts";
import { openTarget, type Target, type TargetOptions } from "./runner/target.ts";

const text = { type: "string" } as const;
const off = { type: "boolean", default: false } as const;
const { values: flags } = parseArgs({
  options: {
    url: text,
    token: text,
    ca: text,
    "client-cert": text,
    "client-key": text,
    kubernetes: text,
    area: text,
    match: text,
    jobs: { type: "string", default: "4" },
    max: { type: "string", default: "8" },
    json: off,
    record: off,
    print: off,
    add: text,
  },
});
const areas = flags.area?.split(",");
const pattern = new RegExp(flags.match ?? "");
const isWanted = ({ area, name }: Row): boolean => (areas?.includes(area) ?? true) && pattern.test(name);

const chosen = flags.kubernetes === undefined ? undefined : versionOf(flags.kubernetes);

async function openServer(): Promise<Target> {
  if (flags.url === undefined) throw new Error("--url: is required");
  const { url, token, ca, "client-cert": clientCert, "client-key": clientKey } = flags;
  const options: TargetOptions = {
    url,
    ...(token && { token }),
    ...(ca && { ca }),
    ...(clientCert && { clientCert }),
    ...(clientKey && { clientKey }),
  };
  const target = await openTarget(options);
  await target.ready();
  return target;
}

/** Runs rows against the server, some of them at the same time. */
async function runRows(
  target: Target,
  rows: readonly Row[],
  runId: string,
  show: (row: Row, transcript: Transcript) => void,
): Promise<void> {
  const queue = [...rows];
  const work = async (): Promise<void> => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      show(row, await runScenario(target, row, { runId }));
    }
  };
  await Promise.all(Array.from({ length: Number(flags.jobs) }, work));
  await target.stop();
}

async function record(): Promise<void> {
  const target = await openServer();
  const version = chosen ?? versionOf(await target.version());
  const all = readNeighbors(version);
  const rows = all.filter(isWanted);
  await runRows(target, rows, String(Date.now()), (row, { results, broken }) => {
    if (broken === undefined) {
      row.expected = results;
      return;
    }
    process.exitCode = 1;
    console.error(`${row.name}: ${broken}`);
  });
  writeNeighbors(version, all);
  console.log(`recorded ${rows.filter(({ expected }) => expected !== undefined).length} of ${rows.length}`);
}

async function compareRows(): Promise<void> {
  const target = await openServer();
  const rows = readRows(chosen ?? versionOf(await target.version())).filter(isWanted);
  let same = 0;
  await runRows(target, rows, "", (row, transcript) => {
    const result = compare({ results: row.expected }, transcript);
    const isSame = result.verdict === "same";
    if (isSame) same++;
    const differences = isSame ? "" : report(row, result, { names: ["expected", "actual"], max: Number(flags.max) });
    if (flags.json) console.log(JSON.stringify({ name: row.name, differences }));
    else if (!isSame) console.log(`${differences}\n`);
  });
  if (!flags.json) console.log(`same ${same} of ${rows.length}`);
  process.exitCode = same === rows.length ? 0 : 1;
}

// A reader that closes the pipe early (`| head`) isn't an error.
process.stdout.on("error", () => process.exit());

const withoutServer: Version = chosen ?? (versions[0] as Version);
if (flags.print) for (const row of readRows(withoutServer).filter(isWanted)) console.log(lineOf(row));
else if (flags.add !== undefined) addNeighbors(withoutServer, readFileSync(flags.add, "utf8"));
else if (flags.record) await record();
else await compareRows();
