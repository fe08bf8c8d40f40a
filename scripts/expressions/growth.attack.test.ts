import { describe, expect, it } from "vitest";
import { isLinear } from "../test-support/growth.ts";
import { sample } from "../test-support/thorough.ts";
import { type Attack, attacksOn } from "./attacks.ts";
import { type Expression, findExpressions } from "./find.ts";

const root = new URL("../..", import.meta.url).pathname;

/** Expressions that no large input reaches, each with the reason. */
const excepted: Readonly<Record<string, string>> = {
  [String(/\B(?=(\d{3})+$)/g)]:
    "string-format.ts groups the digits of a formatted number, of which there are at most 309",
};

const textOf = ({ prefix, pump, suffix }: Attack, length: number): string =>
  prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;

/**
 * The lengths of the texts. Exponential time is visible with few repetitions, quadratic time only with many. The steps are so
 * small that an exponential expression ends with the first length for which it is suspicious.
 */
const lengths = [16, 20, 24, 28, 32, 128, 1000, 16_000];
/** The milliseconds from which on a text is tried with more lengths. */
const suspicious = (length: number): number => (length > 1000 ? 2 : 0.3);
/** How much longer than a quarter of a long text a linear expression may need for the whole. Quadratic ones take 16 times as long. */
const suspiciousGrowth = 8;

function timeOf(regex: RegExp, text: string): number {
  const start = performance.now();
  regex.lastIndex = 0;
  regex.exec(text);
  return performance.now() - start;
}

/** Returns the least of three times, because other processes only add to it. Measures once if that is fast enough. */
function leastTime(regex: RegExp, text: string, fastEnough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && least > fastEnough; run++) least = Math.min(least, timeOf(regex, text));
  return least;
}

/** Reports whether an expression may take more than linear time for a text, by few measurements. */
function isSuspicious(regex: RegExp, attack: Attack): boolean {
  return lengths.some((length) => {
    const time = leastTime(regex, textOf(attack, length), suspicious(length));
    if (time <= suspicious(length)) return false;
    // Bounded repetitions such as {0,500} grow in short texts only. Their whole comparison would take a minute.
    return length <= 1000 || time > suspiciousGrowth * leastTime(regex, textOf(attack, length / 4), 0);
  });
}

/** How many texts each expression is tried with in `npm test`. A few expressions have thousands. */
const most = 60;

/** Finds a text for which an expression takes more than linear time. */
function slowAttack(regex: RegExp): Attack | undefined {
  for (const attack of sample(attacksOn(regex), most)) {
    const make = (size: number): string => textOf(attack, size);
    const run = (text: string): void => void timeOf(regex, text);
    // So large that even an expression that takes only 2 ms for the longest text above can be seen to grow by the limit.
    if (isSuspicious(regex, attack) && !isLinear(run, make, { from: 8, to: 400_000 })) return attack;
  }
  return undefined;
}

describe("regular expressions take linear time", () => {
  const places = new Map<string, Expression[]>();
  for (const expression of findExpressions(root, [
    "src",
    "packages/runtime/src",
    "packages/apiserver/src",
    "packages/cel/src",
  ])) {
    const key = String(expression.regex);
    places.set(key, [...(places.get(key) ?? []), expression]);
  }

  it("in all sources", ({ task }) => {
    (task.meta as { attempts?: number }).attempts = places.size;
    const slow: string[] = [];
    for (const [key, [{ file, line, regex }]] of places as Map<string, [Expression]>) {
      if (key in excepted) continue;
      const attack = slowAttack(regex);
      if (attack !== undefined) slow.push(`${file}:${line}: ${key} with ${JSON.stringify(attack)}`);
    }
    expect(slow).toEqual([]);
  });

  it("of which only those are excepted that exist", () => {
    expect(Object.keys(excepted).filter((key) => !places.has(key))).toEqual([]);
  });
});
