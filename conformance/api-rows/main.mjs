#!/usr/bin/env node
// Runs recorded request sequences against a server and compares its answers with those of kube-apiserver:
//   node conformance/api-rows/main.mjs --url URL [--token TOKEN] [--ca FILE] [--client-cert FILE --client-key FILE]
//     [--area a,b] [--match REGEXP] [--jobs N] [--max N] [--json]
// Exits with 0 only if all are the same. --json prints one line of JSON per row.
// --record writes the server's answers as the expected ones of the neighbours instead of comparing them.
import { parseArgs } from "node:util";
import { compare, report } from "./runner/compare.mjs";
import { readNeighbours, readRows, writeNeighbours } from "./runner/rows.mjs";
import { runScenario } from "./runner/run.mjs";
import { openTarget } from "./runner/target.mjs";

const text = { type: "string" };
const { values: flags } = parseArgs({
  options: {
    url: text,
    token: text,
    ca: text,
    "client-cert": text,
    "client-key": text,
    area: text,
    match: text,
    jobs: { type: "string", default: "4" },
    max: { type: "string", default: "8" },
    json: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
if (flags.url === undefined) throw new Error("--url: is required");
const areas = flags.area?.split(",");
const all = flags.record ? readNeighbours() : readRows();
const rows = all
  .filter(({ area }) => areas === undefined || areas.includes(area))
  .filter(({ name }) => new RegExp(flags.match ?? "").test(name));
const target = await openTarget({
  url: flags.url,
  token: flags.token,
  ca: flags.ca,
  clientCert: flags["client-cert"],
  clientKey: flags["client-key"],
});
await target.ready();
const runId = flags.record ? String(Date.now()) : "";
let same = 0;
const queue = [...rows];
async function work() {
  for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
    const answers = await runScenario(target, row, { runId });
    if (flags.record) record(row, answers);
    else show(row, answers);
  }
}

function record(row, { results, broken }) {
  if (broken === undefined) row.expected = results;
  else {
    process.exitCode = 1;
    console.error(`${row.name}: ${broken}`);
  }
}

function show(row, answers) {
  const result = compare({ results: row.expected }, answers);
  const isSame = result.verdict === "same";
  if (isSame) same++;
  const differences = isSame ? "" : report(row, result, { names: ["expected", "actual"], max: Number(flags.max) });
  if (flags.json) console.log(JSON.stringify({ name: row.name, differences }));
  else if (!isSame) console.log(`${differences}\n`);
}

await Promise.all(Array.from({ length: Number(flags.jobs) }, work));
await target.stop();
if (flags.record) {
  writeNeighbours(all);
  console.log(`recorded ${rows.filter(({ expected }) => expected !== undefined).length} of ${rows.length}`);
} else {
  if (!flags.json) console.log(`same ${same} of ${rows.length}`);
  process.exitCode = same === rows.length ? 0 : 1;
}
