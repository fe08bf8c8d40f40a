// The embedded API server must respond to random sequences of requests as kube-apiserver does.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@kubewright/cel/json";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compare, report } from "../api-rows/runner/compare.ts";
import type { Step, Transcript } from "../api-rows/runner/row.ts";
import { runScenario } from "../api-rows/runner/run.ts";
import { openTarget, type Target } from "../api-rows/runner/target.ts";
import { type Round, randomRound } from "./random-sequences.ts";

const seed = Number(process.env.SEQUENCES_SEED ?? Math.floor(Math.random() * 2 ** 31));
const rounds = Number(process.env.SEQUENCES_ROUNDS ?? 25);
const perRound = 40;
const steps = 10;
const workers = 4;
const directory = mkdtempSync(join(tmpdir(), "kubewright-sequences-"));
const tokens = join(directory, "tokens.csv");
const environments = (["binaries", "embedded"] as const).map(
  (engine) =>
    new TestEnvironment({
      engine,
      apiServerFlags: { "token-auth-file": tokens },
    }),
);
const targets: Target[] = [];
let runs = 0;

beforeAll(async () => {
  writeFileSync(tokens, "admin-token,admin,admin,system:masters\n");
  for (const [index, environment] of environments.entries()) {
    const { host, ca } = await environment.start();
    const file = join(directory, `ca-${index}.crt`);
    writeFileSync(file, ca as string);
    const target = await openTarget({ url: host, ca: file, token: "admin-token" });
    await target.ready();
    targets.push(target);
  }
});

afterAll(async () => {
  for (const target of targets) await target.stop();
  for (const environment of environments) await environment.stop();
  rmSync(directory, { recursive: true });
});

const services = "/api/v1/namespaces/%ns%/services";

/** Removes the Services of a round: the servers have 254 addresses for them. */
const freeAddresses = Array.from({ length: perRound }, (_, index) => `${services}/o${index}`).flatMap((path) => [
  {
    method: "PATCH",
    path,
    headers: { "content-type": "application/merge-patch+json" },
    body: { metadata: { finalizers: null } },
    quiet: true,
  },
  { method: "DELETE", path, quiet: true },
]);

/** Sends the sequences to both servers. Returns a description of the first differences, and the differing sequences. */
async function difference({ head, sequences }: Round): Promise<{ text: string; at: number[] } | undefined> {
  // Each run has its own namespace and group.
  const all = [...head, ...sequences.flat(), ...freeAddresses];
  const row = { name: `sequences ${seed} ${runs++}`, steps: all, limitMs: 600_000 };
  const transcripts = await Promise.all(targets.map(async (target) => settled(await runScenario(target, row))));
  const [real, own] = transcripts as [Transcript, Transcript];
  const result = compare(real, own);
  if (result.verdict === "same") return undefined;
  const at = result.differences.map(({ step }) => Math.floor((step - head.length) / steps));
  return { text: report(row, result, { names: ["real", "embedded"], max: 6 }), at: [...new Set(at)] };
}

/**
 * Drops random differences: the choice and order of errors about an applied object, because Go's maps have no order;
 * and the order of managed fields, which depends on the second in which each was written.
 */
function settled<Value>(results: Value): Value {
  const fix = (given: string): string => {
    const text = given.replace(/Invalid value: ("(?:[^"\\]|\\.)*")/g, (_match, quoted: string) => {
      return `Invalid value: ${withOrderedOwners(quoted)}`;
    });
    const typed = /^(.*?(?:failed to create typed|error in) .*?Kind=\w+\)): ([\s\S]*)$/.exec(text);
    if (typed === null) return text;
    const [, head, errors = ""] = typed;
    return `${head}: ${errors.includes("field not declared") ? "field not declared" : errors.split("\n").sort().join("\n")}`;
  };
  return JSON.parse(JSON.stringify(results), (_key, value) => (typeof value === "string" ? fix(value) : value));
}

/** Sorts the managed fields of an object in a quoted text. Other texts stay as they are. */
function withOrderedOwners(quoted: string): string {
  if (!quoted.includes("managedFields")) return quoted;
  let object: { metadata?: { managedFields?: JsonObject[] } };
  try {
    object = JSON.parse(JSON.parse(quoted) as string);
  } catch {
    return quoted;
  }
  const key = (entry: JsonObject): string => JSON.stringify({ ...entry, time: "" });
  object.metadata?.managedFields?.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return JSON.stringify(JSON.stringify(object));
}

/** Removes steps of a sequence while the responses still differ. `whole` is the difference in the whole round. */
async function shrink(head: Step[], sequence: Step[], whole: string): Promise<string> {
  let best = sequence;
  for (let index = sequence.length - 1; index >= 0; index--) {
    const shorter = best.filter((_, at) => at !== index);
    if (shorter.length > 0 && (await difference({ head, sequences: [shorter] })) !== undefined) best = shorter;
  }
  const last = await difference({ head, sequences: [best] });
  if (last === undefined) return `differs only in the whole round: ${whole}`;
  return `${last.text}\n${JSON.stringify([head[0], ...best])}`;
}

it(`${rounds * perRound} random sequences have equal responses (SEQUENCES_SEED=${seed})`, async () => {
  const problems: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < rounds && problems.length < 5) {
      const roundSeed = seed + next++;
      const round = randomRound(roundSeed, perRound, steps);
      // Go's maps have a random order, which some responses of the real server show: a difference counts if it comes again.
      const differs = (await difference(round)) && (await difference(round));
      if (differs === undefined) continue;
      const sequence = round.sequences[differs.at[0] as number];
      const text = sequence === undefined ? differs.text : await shrink(round.head, sequence, differs.text);
      problems.push(`SEQUENCES_SEED=${roundSeed}: ${differs.at.length} sequences differ\n${text}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  expect(problems.join("\n\n")).toBe("");
}, 3_600_000);
