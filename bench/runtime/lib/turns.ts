// Runs operators in turn: A B, B A, A B …, so that changes in the machine's speed affect both equally.
import { median } from "../../lib/statistics.ts";
import type { Operator } from "./operators.ts";
import type { Limits, Line } from "./report.ts";

/** The results of the measurements, by the name of the operator, in the order of the runs. */
export type Turns<Result> = Readonly<Record<string, readonly Result[]>>;

/** Calls `measure` for each operator in each run. */
export async function inTurns<Result extends Record<string, number>>(
  operators: readonly Operator[],
  runs: number,
  measure: (operator: Operator) => Promise<Result>,
): Promise<Turns<Result>> {
  const results: Record<string, Result[]> = Object.fromEntries(operators.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const operator of run % 2 === 0 ? operators : operators.toReversed()) {
      const result = await measure(operator);
      process.stderr.write(`  ${operator.name} ${shown(result)}\n`);
      results[operator.name]?.push(result);
    }
  }
  return results;
}

const shown = (result: Record<string, number>): string =>
  Object.entries(result)
    .map(([key, value]) => `${key} ${Number(value.toPrecision(4))}`)
    .join(", ");

/** Returns one line of the report: medians of both sides, and of their ratios run by run. */
export function line<Key extends string>(
  what: string,
  results: Turns<Record<Key, number>>,
  key: Key,
  { digits = 2, ...limits }: Limits & { digits?: number },
): Line {
  const values = (name: string): number[] | undefined => results[name]?.map((result) => result[key]);
  const ours = values("ours") ?? [];
  const theirs = values("Go");
  const ratio = theirs && median(ours.map((value, run) => value / (theirs[run] ?? Number.NaN)));
  return { what, digits, ours: median(ours), theirs: theirs && median(theirs), ratio, ...limits };
}
