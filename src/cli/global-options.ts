import type { GlobalOptions } from "./command.ts";

/** The flags of every command, for commander and for help. */
export const globalFlags: readonly (readonly [flag: string, help: string])[] = [
  ["--json", "print one JSON object on stdout instead of text"],
  ["--dry-run", "only show what would be done, with every path"],
  ["--verbose", "say more on stderr"],
  ["--quiet", "say only what went wrong"],
  ["--yes", "take the defaults instead of asking (CI in the environment does too)"],
];

/** Reads the global flags wherever they stand, so that even a call which is otherwise wrong is answered in the right form. */
export function globalOptions(argv: readonly string[]): GlobalOptions {
  const end = argv.indexOf("--");
  const flags = new Set(end < 0 ? argv : argv.slice(0, end));
  return {
    json: flags.has("--json"),
    dryRun: flags.has("--dry-run"),
    verbose: flags.has("--verbose"),
    quiet: flags.has("--quiet"),
    yes: flags.has("--yes") || flags.has("-y"),
  };
}

const known = new Set([...globalFlags.map(([flag]) => flag), "-y"]);

/** The leading words of a command line (global flags may stand between them), and the flags before and behind. */
export function splitWords(argv: readonly string[]): { words: string[]; flags: string[] } {
  const words: string[] = [];
  for (const argument of argv) {
    if (known.has(argument)) continue;
    if (argument.startsWith("-")) break;
    words.push(argument);
  }
  return { words, flags: argv.filter((argument) => argument.startsWith("-") && !known.has(argument)) };
}
