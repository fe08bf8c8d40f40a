import { parse } from "shell-quote";
import type { Placed } from "./page.ts";

/** A call of a program, as a shell parses it. */
export interface Call extends Placed {
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** Whether the call is in a sentence instead of a script. */
  readonly inText?: boolean;
}

/** Returns the calls of a script in order: `a && b | c` are three. Skips comments, and keeps `$X`. */
export function callsOf({ page, line, text }: Placed): Call[] {
  const lines = text.replace(/\\\n/g, "  ").split("\n");
  return lines.flatMap((one, index) =>
    split(withoutComment(one)).map((words) => ({ page, line: line + index, text: one.trim(), ...withEnv(words) })),
  );
}

function withoutComment(line: string): string {
  return line.replace(/(^|\s)#.*$/, "");
}

/** Splits a line into words between operators. A placeholder (`<kind>`, `…`) is a word, not a redirection. */
function split(line: string): string[][] {
  const calls: string[][] = [[]];
  const withoutPlaceholders = line.replace(/<([^<>\s|]+)>/g, "$1");
  const withoutFiles = withoutPlaceholders.replace(/\s[<>]+ \S+/g, "");
  for (const entry of parse(withoutFiles, (name) => `$${name}`)) {
    if (typeof entry === "string") calls.at(-1)?.push(entry);
    else if ("pattern" in entry) calls.at(-1)?.push(entry.pattern);
    else if ("op" in entry) calls.push([]);
  }
  return calls.filter((words) => words.length > 0);
}

function withEnv(words: readonly string[]): Pick<Call, "env" | "words"> {
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = words.slice(0, first === -1 ? words.length : first);
  return {
    env: Object.fromEntries(env.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)])),
    words: first === -1 ? [] : words.slice(first),
  };
}
