import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { displayPath, renderText, toJsonDiagnostics } from "../../diagnostics/index.ts";
import type { GenerateOutcome } from "../../generate/generate.ts";
import type { UnknownMarkers } from "../../generate/markers/index.ts";
import type { GeneratorConfig } from "../../generate/options/index.ts";
import type { ReaderChoice } from "../../generate/source/reader.ts";
import { shown } from "../../project/names.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { interrupted, usageError, workError } from "../errors.ts";
import { refuseFlags } from "../flags.ts";
import { cliVersion } from "../version.ts";

/** What `make manifests` asks for, and `scaffold generate` without options inside a project. */
const projectOptions = [
  "rbac:roleName=manager-role",
  "crd",
  "webhook",
  "paths=./...",
  "output:crd:artifacts:config=config/crd/bases",
];

const example =
  "for example: scaffold generate crd rbac:roleName=manager-role paths=./... output:crd:dir=config/crd/bases";

const notYet = {
  watch: { flag: "--watch", instead: "run the command again after a change" },
  keepGoing: { flag: "--keep-going", instead: "nothing is written until everything is right" },
  against: { flag: "--against", instead: "compare with git diff" },
  whichMarkers: { flag: "-w", instead: "a marker that is unknown is told with the nearest known one" },
} as const;

/** `scaffold generate`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Writes CRDs and roles from types and markers. Options are controller-gen's, such as crd or paths=./...",
      )
      .argument("[option...]", "generators, paths and output rules")
      .option("--check", "write nothing; exit 1 with a diff when files are stale")
      .option("--prune", "remove the CRDs of kinds that are gone")
      .option("--strict", "warnings are errors")
      .option("--unknown-markers <error|warn|ignore>", "what becomes of markers that nobody knows", "error")
      .option("--reader <auto|ts-morph>", "how TypeScript is read", "auto")
      .option("--watch", "write again whenever a file changes")
      .option("--keep-going", "write what can be written in spite of errors")
      .option("--against <ref|dir>", "with --check: tell incompatible changes of CRDs")
      .option("-w, --which-markers", "list the markers");
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { options, cwd, globals, signal } = context;
  refuseFlags(options, notYet);
  const unknownMarkers = oneOf(options.unknownMarkers, "--unknown-markers", ["error", "warn", "ignore"]);
  const reader = oneOf(options.reader, "--reader", ["auto", "ts-morph"]);
  const config = await readOptions(context);
  const { generate } = await import("../../generate/generate.ts");
  const outcome = await generate({
    cwd,
    config,
    unknownMarkers: unknownMarkers as UnknownMarkers,
    strict: options.strict === true,
    prune: options.prune === true,
    reader: reader as ReaderChoice,
    toolVersion: `kubewright-v${cliVersion()}`,
  });
  if (!globals.json) showDiagnostics(outcome, context);
  if (outcome.diagnostics.some((diagnostic) => diagnostic.severity === "error")) return result(1, outcome, cwd);
  if (signal.aborted) throw interrupted();
  if (options.check === true) return check(outcome, cwd);
  if (globals.dryRun) return dryRun(outcome, cwd);
  const { applyPlan } = await import("../../generate/output/apply.ts");
  try {
    applyPlan(outcome.plan.writes);
  } catch (error) {
    throw workError("write-failed", `nothing was written: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (foundNothing(outcome, config)) {
    context.terminal.note("nothing to write: the paths hold no kinds and no markers for these generators");
  }
  for (const { path, action } of outcome.plan.writes) {
    if (action === "unchanged") context.terminal.detail(`unchanged ${displayPath(path, cwd)}`);
    else context.terminal.note(`${action} ${displayPath(path, cwd)}`);
  }
  return { ...result(0, outcome, cwd), output: outcome.plan.stdout };
}

/** Success without a file and without a word would look like a run that worked. */
function foundNothing({ plan }: GenerateOutcome, { generators, output }: GeneratorConfig): boolean {
  const asked = (["crd", "rbac", "webhook"] as const).filter(
    (name) => generators[name] && output[name]?.kind !== "none",
  );
  return asked.length > 0 && plan.writes.length === 0 && plan.stdout === "";
}

async function readOptions({ args, cwd, globals, terminal }: CommandContext): Promise<GeneratorConfig> {
  if (args.length === 0 && !existsSync(join(cwd, "PROJECT"))) {
    throw usageError(
      "no generators specified, and this is no project",
      'for example: scaffold generate crd paths="./api/..." output:crd:dir=config/crd/bases',
    );
  }
  const { parseOptions } = await import("../../generate/options/index.ts");
  const { config, problems } = parseOptions(args.length === 0 ? projectOptions : args);
  const errors = problems.filter((problem) => problem.severity === "error");
  for (const problem of problems) if (problem.severity === "warning") terminal.warn(problem.message);
  if (!config) {
    // One line says what is wrong; what else is wrong stands below it, as hints do.
    const [first, ...others] = errors;
    const below = [first?.hint, ...others.flatMap(({ message, hint }) => [`also: ${message}`, hint])];
    throw usageError(first?.message ?? "", below.filter((line) => line !== undefined).join("\n") || example);
  }
  const { generators, output } = config;
  if (globals.json && Object.values(output).some((rule) => rule.kind === "stdout")) {
    throw usageError("output:stdout and --json both want stdout", "give the documents a directory with output:dir=…");
  }
  if (generators.schemapatch) {
    throw workError("not-supported-yet", "the generator schemapatch doesn't exist in this version", "use crd");
  }
  for (const name of ["object", "applyconfiguration"] as const) {
    if (generators[name]) terminal.note(`${name}: plain data needs no generated code, the option has no effect`);
  }
  return config;
}

function showDiagnostics({ diagnostics }: GenerateOutcome, { terminal, cwd }: CommandContext): void {
  if (diagnostics.length === 0) return;
  const readSource = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  terminal.print(renderText(diagnostics, { cwd, readSource, color: terminal.color }));
}

function result(exitCode: 0 | 1, { diagnostics, plan }: GenerateOutcome, cwd: string): CommandResult {
  return {
    exitCode,
    diagnostics: toJsonDiagnostics(diagnostics, cwd),
    files: plan.writes.map(({ path, action }) => ({ path: displayPath(path, cwd), action })),
  };
}

async function check(outcome: GenerateOutcome, cwd: string): Promise<CommandResult> {
  const stale = outcome.plan.writes.some((write) => write.action !== "unchanged");
  if (!stale) return result(0, outcome, cwd);
  const { unifiedDiff } = await import("../../generate/output/diff.ts");
  const output = unifiedDiff(outcome.plan.writes, (path) => displayPath(path, cwd));
  return { ...result(1, outcome, cwd), output };
}

function dryRun(outcome: GenerateOutcome, cwd: string): CommandResult {
  const operations = outcome.plan.writes.flatMap(({ path, action }) =>
    action === "unchanged" ? [] : [{ op: action, path: displayPath(path, cwd) }],
  );
  return {
    ...result(0, outcome, cwd),
    operations,
    output: operations.map(({ op, path }) => `${op} ${path}\n`).join(""),
  };
}

function oneOf(value: unknown, flag: string, allowed: readonly string[]): string {
  if (typeof value === "string" && allowed.includes(value)) return value;
  throw usageError(`${flag} takes ${allowed.join(", ")}, not ${shown(String(value))}`);
}
