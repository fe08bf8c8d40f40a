import type { Command } from "commander";
import type { UnknownMarkers } from "../../../generate/markers/index.ts";
import type { ReaderChoice } from "../../../generate/source/reader.ts";
import { shown } from "../../../project/names.ts";
import { usageError } from "../../errors.ts";
import { textFlag } from "../../flags.ts";

/** The flags of `scaffold generate`, checked. */
export interface GenerateFlags {
  readonly check: boolean;
  /** A git revision or a directory: what the CRDs are compared with. */
  readonly against?: string;
  readonly watch: boolean;
  readonly prune: boolean;
  readonly keepGoing: boolean;
  readonly strict: boolean;
  readonly unknownMarkers: UnknownMarkers;
  readonly reader: ReaderChoice;
}

/** Declares the flags. */
export function defineFlags(program: Command): void {
  program
    .option("--check", "write nothing; exit 1 with a diff when files are stale")
    .option("--prune", "remove the CRDs of kinds that are gone")
    .option("--strict", "warnings are errors")
    .option("--unknown-markers <error|warn|ignore>", "what becomes of markers that nobody knows", "error")
    .option("--reader <auto|ts-morph>", "how TypeScript is read", "auto")
    .option("--watch", "write again whenever a file changes")
    .option("--keep-going", "write what could be made in spite of errors, and exit 1")
    .option("--against <ref-or-dir>", "with --check: tell incompatible changes of CRDs")
    .option("-h, --detailed-help", "explain the options: -h, -hh and -hhh say more and more, -hhhh is JSON")
    .option("-w, --which-markers", "explain the markers of the generators that are named: -w to -www, -wwww is JSON")
    .option("--version", "print the version");
}

/** Reads what commander parsed. Throws usage errors. */
export function readFlags(options: Readonly<Record<string, unknown>>): GenerateFlags {
  if (options.watch === true && options.check === true) {
    throw usageError("--watch writes and --check doesn't: give one of them", "for example: scaffold generate --watch");
  }
  const against = textFlag(options, "against");
  if (against !== undefined && options.check !== true) {
    throw usageError("--against goes with --check", `for example: scaffold generate --check --against ${against}`);
  }
  return {
    ...(against === undefined ? {} : { against }),
    check: options.check === true,
    watch: options.watch === true,
    prune: options.prune === true,
    keepGoing: options.keepGoing === true,
    strict: options.strict === true,
    unknownMarkers: oneOf(options.unknownMarkers, "--unknown-markers", ["error", "warn", "ignore"]),
    reader: oneOf(options.reader, "--reader", ["auto", "ts-morph"]),
  };
}

function oneOf<Choice extends string>(value: unknown, flag: string, allowed: readonly Choice[]): Choice {
  const chosen = allowed.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw usageError(`${flag} takes ${allowed.join(", ")}, not ${shown(String(value))}`);
}
