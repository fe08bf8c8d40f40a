import { join } from "node:path";
import { createRandom } from "../../scripts/test-support/random.ts";
import { difference } from "./compare.ts";
import { inventCase } from "./invent/case.ts";
import type { Case, Options } from "./model.ts";
import { inventOptions, optionText } from "./options.ts";
import { runOurs } from "./ours.ts";
import { runReference, type Verdict } from "./reference.ts";
import { renamed, size, smaller } from "./shrink.ts";

/** The input of a run. A seed and a case's number reproduce the case. */
export interface FuzzRequest {
  readonly tool: string;
  /** The working directory. */
  readonly scratch: string;
  readonly seed: number;
  readonly cases: number;
  /** The number of the first case. */
  readonly from?: number;
  /** Maximum number of differences to shrink; others are only counted. */
  readonly shrink?: number;
  readonly log?: (line: string) => void;
}

export interface Difference {
  readonly id: string;
  readonly options: string;
  readonly text: string;
  /** The shrunk case. */
  readonly api: Case;
}

export interface FuzzResult {
  readonly compared: number;
  readonly files: number;
  /** Number of cases that both tools reject. */
  readonly refused: number;
  /** Cases for which the reference's own runs differ. */
  readonly unstable: readonly string[];
  readonly differences: readonly Difference[];
}

/** Number of cases that share options, and therefore one run of the reference. */
const batchSize = 125;

/** Compares our output with the reference's on generated APIs, with both readers. */
export async function fuzz(request: FuzzRequest): Promise<FuzzResult> {
  const total = { compared: 0, files: 0, refused: 0, unstable: [] as string[], differences: [] as Difference[] };
  const from = request.from ?? 0;
  for (let start = from; start < from + request.cases; ) {
    // Batches begin at fixed numbers, so that a case always has the same options.
    const end = Math.min((Math.floor(start / batchSize) + 1) * batchSize, from + request.cases);
    await fuzzBatch(request, start, end, total);
    request.log?.(`${end - from} of ${request.cases}: ${total.differences.length} differences`);
    start = end;
  }
  return total;
}

async function fuzzBatch(
  request: FuzzRequest,
  start: number,
  end: number,
  total: { -readonly [key in keyof FuzzResult]: FuzzResult[key] } & { differences: Difference[]; unstable: string[] },
): Promise<void> {
  const { tool, scratch, seed } = request;
  const options = inventOptions(createRandom(seed, -1 - Math.floor(start / batchSize)));
  const cases: Case[] = [];
  for (let number = start; number < end; number++) {
    cases.push(inventCase(createRandom(seed, number), `c${number}`, options));
  }
  const expected = await runReference(tool, join(scratch, "go"), cases, options);
  for (const api of cases) {
    const theirs = expected.get(api.id)!;
    total.compared++;
    total.files += theirs.files.size;
    const text = await differenceOf(scratch, api, options, theirs);
    if (text === undefined) {
      if (theirs.errors.length > 0) total.refused++;
    } else if (await isUnstable(request, api, options, theirs)) {
      total.unstable.push(api.id);
    } else {
      const shrunk = total.differences.length < (request.shrink ?? 3) ? await shrink(request, api, options, text) : api;
      const small = shrunk === api ? text : await retold(request, shrunk, options);
      total.differences.push({ id: api.id, options: optionText(options), text: small ?? text, api: shrunk });
    }
  }
}

/** Compares our result with the reference. */
async function differenceOf(
  scratch: string,
  api: Case,
  options: Options,
  expected: Verdict,
): Promise<string | undefined> {
  return difference(expected, await runOurs(join(scratch, "ts"), api, options));
}

async function isUnstable(
  { tool, scratch }: FuzzRequest,
  api: Case,
  options: Options,
  first: Verdict,
): Promise<boolean> {
  for (let run = 0; run < 4; run++) {
    const again = (await runReference(tool, join(scratch, "again"), [api], options)).get(api.id)!;
    if (difference(first, again) !== undefined) return true;
  }
  return false;
}

/**
 * Removes declarations and markers that aren't needed for the difference. All steps of a round share one run of the
 * reference.
 */
async function shrink({ tool, scratch, log }: FuzzRequest, api: Case, options: Options, text: string): Promise<Case> {
  const like = kindOf(text);
  let best = api;
  for (let round = 0; round < 60; round++) {
    const candidates = smaller(best)
      .sort((a, b) => size(a) - size(b))
      .slice(0, 150);
    const named = candidates.map((each, index) => renamed(each, `c${index}`));
    const expected = await runReference(tool, join(scratch, "shrink"), named, options);
    let next: Case | undefined;
    for (const candidate of named) {
      const theirs = expected.get(candidate.id)!;
      const difference = await differenceOf(scratch, candidate, options, theirs);
      if (difference === undefined || kindOf(difference) !== like) continue;
      next = candidate;
      break;
    }
    if (!next) return best;
    best = next;
  }
  log?.("there may be a smaller one");
  return best;
}

/** Returns the kind of difference, which a smaller case must have too: the tool that rejects the case or lacks a file. */
function kindOf(text: string): string {
  return /only the reference|only we [a-z]+|we don't/.exec(text)?.[0] ?? "other text";
}

async function retold({ tool, scratch }: FuzzRequest, api: Case, options: Options): Promise<string | undefined> {
  const expected = await runReference(tool, join(scratch, "again"), [api], options);
  return differenceOf(scratch, api, options, expected.get(api.id)!);
}
