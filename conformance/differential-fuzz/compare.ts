import type { Verdict } from "./reference.ts";

/** Describes the difference of two verdicts in a few lines; undefined if they are equal. */
export function difference(expected: Verdict, actual: Verdict): string | undefined {
  if (expected.errors.length > 0) {
    if (actual.errors.length > 0) return undefined;
    return `only the reference refuses it: ${expected.errors.slice(0, 3).join("\n")}`;
  }
  if (actual.errors.length > 0) return `only we refuse it: ${actual.errors.slice(0, 3).join("\n")}`;
  for (const name of new Set([...expected.files.keys(), ...actual.files.keys()])) {
    const [theirs, ours] = [expected.files.get(name), actual.files.get(name)];
    if (theirs === ours) continue;
    if (theirs === undefined) return `only we write ${name}`;
    if (ours === undefined) return `we don't write ${name}`;
    return `${name}\n${firstLines(theirs, ours)}`;
  }
  return undefined;
}

/** Returns the lines around the first difference of two texts. */
export function firstLines(expected: string, actual: string): string {
  const [theirs, ours] = [expected.split("\n"), actual.split("\n")];
  let from = 0;
  while (theirs[from] === ours[from]) from++;
  const shown = (lines: string[], mark: string): string[] =>
    lines.slice(from, from + 6).map((line) => `${mark} ${line}`);
  const before = theirs.slice(Math.max(0, from - 4), from).map((line) => `  ${line}`);
  return [`line ${from + 1}`, ...before, ...shown(theirs, "-"), ...shown(ours, "+")].join("\n");
}
