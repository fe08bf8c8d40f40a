import type { Command } from "commander";
import type { UnknownMarkers } from "../../generate/markers/index.ts";
import { usageError } from "../framework/errors.ts";
import { oneOf, textFlag } from "../framework/flags.ts";

/** The flags of `scaffold generate` after validation. */
export interface GenerateFlags {
  readonly check: boolean;
  /** The git revision or directory to compare the CRDs with. */
  readonly against?: string;
  readonly watch: boolean;
  readonly fix: boolean;
  readonly prune: boolean;
  readonly keepGoing: boolean;
  readonly strict: boolean;
  readonly unknownMarkers: UnknownMarkers;
}

/** Declares the flags of `scaffold generate`. */
export function defineFlags(program: Command): void {
  program
    .option("--check", "write nothing; print a diff and exit with 1 if files are stale")
    .option("--fix", "apply the unambiguous fixes of diagnostics to your code, then generate")
    .option("--prune", "remove CRDs of kinds that no longer exist")
    .option("--strict", "treat warnings as errors")
    .option("--unknown-markers <how>", "how to treat unknown markers: error, warn or ignore", "error")
    .option("--reader <auto|ts-morph>", "no effect; accepted for compatibility")
    .option("--watch", "generate again whenever a file changes")
    .option("--keep-going", "write valid output despite errors, and exit with 1")
    .option("--against <ref-or-dir>", "with --check: report incompatible changes of CRDs")
    .option("-h, --detailed-help", "show help on options; repeat for more detail (-hh, -hhh), -hhhh for JSON")
    .option(
      "-w, --which-markers",
      "show help on the markers of the given generators; repeat for more detail (-ww, -www), -wwww for JSON",
    )
    .option("--version", "print the version");
}

/**
 * Validates the flags that commander parsed.
 *
 * @throws CliError for invalid values and combinations
 */
export function readFlags(options: Readonly<Record<string, unknown>>): GenerateFlags {
  if (options.watch === true && options.check === true) {
    throw usageError(
      "--watch can't be combined with --check: --check writes nothing",
      "for example: npx scaffold generate --watch",
    );
  }
  for (const other of ["check", "watch"]) {
    if (options.fix === true && options[other] === true) {
      throw usageError(`--fix can't be combined with --${other}`, "for example: npx scaffold generate --fix");
    }
  }
  const against = textFlag(options, "against");
  if (against !== undefined && options.check !== true) {
    throw usageError("--against requires --check", `for example: npx scaffold generate --check --against ${against}`);
  }
  // Earlier versions had two readers.
  oneOf("--reader", String(options.reader ?? "auto"), ["auto", "ts-morph"]);
  return {
    ...(against === undefined ? {} : { against }),
    check: options.check === true,
    watch: options.watch === true,
    fix: options.fix === true,
    prune: options.prune === true,
    keepGoing: options.keepGoing === true,
    strict: options.strict === true,
    unknownMarkers: oneOf("--unknown-markers", String(options.unknownMarkers), ["error", "warn", "ignore"]),
  };
}
