import type { Command } from "commander";
import type { UnknownMarkers } from "../../../generate/markers/index.ts";
import type { ReaderChoice } from "../../../generate/source/reader.ts";
import { shown } from "../../../project/names.ts";
import { usageError } from "../../errors.ts";
import { textFlag } from "../../flags.ts";

/** The validated flags of `scaffold generate`. */
export interface GenerateFlags {
  readonly check: boolean;
  /** A git revision or a directory: the CRDs to compare with. */
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
    .option("--check", "write nothing; exit 1 with a diff if files are out of date")
    .option("--prune", "remove CRD files whose kinds no longer exist")
    .option("--strict", "treat warnings as errors")
    .option("--unknown-markers <error|warn|ignore>", "how to treat unknown markers", "error")
    .option("--reader <auto|ts-morph>", "how to read TypeScript", "auto")
    .option("--watch", "regenerate whenever a file changes")
    .option("--keep-going", "write valid output in spite of errors, and exit 1")
    .option("--against <ref-or-dir>", "with --check: report incompatible changes of CRDs")
    .option("-h, --detailed-help", "show help on options; repeat for more detail (-hh, -hhh), -hhhh for JSON")
    .option(
      "-w, --which-markers",
      "show help on the generators' markers; repeat for more detail (-ww, -www), -wwww for JSON",
    )
    .option("--version", "print the version");
}

/** Validates the parsed flags. Throws usage errors. */
export function readFlags(options: Readonly<Record<string, unknown>>): GenerateFlags {
  if (options.watch === true && options.check === true) {
    throw usageError("--watch cannot be combined with --check", "for example: scaffold generate --watch");
  }
  const against = textFlag(options, "against");
  if (against !== undefined && options.check !== true) {
    throw usageError("--against requires --check", `for example: scaffold generate --check --against ${against}`);
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
  throw usageError(`invalid ${flag} ${shown(String(value))}: must be ${allowed.join(", ")}`);
}
