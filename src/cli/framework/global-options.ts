import type { GlobalOptions } from "./command.ts";

/** The flags of every command. */
export const globalFlags: readonly (readonly [flag: string, help: string])[] = [
  ["--json", "print one JSON object on stdout instead of text"],
  ["--dry-run", "write nothing; list the changes, or the programs that would run"],
  ["--verbose", "print more detail on stderr"],
  ["--quiet", "print only errors and warnings"],
  ["--yes", "use defaults instead of prompting, as if CI were set"],
];

/** Reads the global flags at any position, so that even the error for a wrong call has the requested format. */
export function globalOptions(argv: readonly string[]): GlobalOptions {
  const end = argv.indexOf("--");
  const flags = new Set(end < 0 ? argv : argv.slice(0, end));
  const yes = flags.has("--yes") || flags.has("-y");
  return {
    json: flags.has("--json"),
    dryRun: flags.has("--dry-run"),
    verbose: flags.has("--verbose"),
    quiet: flags.has("--quiet"),
    yes,
    agreed: yes,
  };
}

const flagNames = new Set([...globalFlags.map(([flag]) => flag), "-y"]);

/** Splits a command line into its leading words, with global flags anywhere between them, and its other flags. */
export function splitWords(argv: readonly string[]): { words: string[]; flags: string[] } {
  const words: string[] = [];
  for (const argument of argv) {
    if (flagNames.has(argument)) continue;
    if (argument.startsWith("-")) break;
    words.push(argument);
  }
  return { words, flags: argv.filter((argument) => argument.startsWith("-") && !flagNames.has(argument)) };
}
