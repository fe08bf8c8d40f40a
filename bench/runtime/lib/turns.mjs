// Runs operators in turn: A B, B A, A B …, so that changes in the machine's speed affect both equally.
import { median } from "../../../scripts/lib/pair.mjs";

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Calls `measure(operator, run)` for each operator in each run. Returns `{ ours: [result…], Go: [result…] }`. */
export async function inTurns(operators, runs, measure) {
  const results = Object.fromEntries(operators.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const operator of run % 2 === 0 ? operators : operators.toReversed()) {
      const result = await measure(operator, run);
      process.stderr.write(`  ${operator.name} ${shown(result)}\n`);
      results[operator.name].push(result);
    }
  }
  return results;
}

const shown = (result) =>
  Object.entries(result)
    .map(([key, value]) => `${key} ${Number(value.toPrecision(4))}`)
    .join(", ");

/**
 * Returns one line of the report: medians of both sides, and of their ratios run by run. The limit applies to the ratio, or
 * with `absolute` to the value. If more is better, `cost` is the name of the inverse.
 */
export function line(what, results, key, { unit, digits = 2, atMost, atLeast, absolute = false, cost }) {
  const values = (name) => results[name]?.map((result) => result[key]);
  const [ours, theirs] = [values("ours"), values("Go")];
  const ratio = theirs && median(ours.map((value, run) => value / theirs[run]));
  const medians = { ours: median(ours), theirs: theirs && median(theirs), ratio };
  return { what, unit, digits, ...medians, atMost, atLeast, absolute, cost };
}
