import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { sessionPaths } from "../../dev/setup/files.ts";
import type { Account } from "../../plan/account.ts";
import type { PlanDocument } from "../../plan/document.ts";
import type { PlanOptions } from "../../plan/run-plan.ts";
import { ProblemError } from "../../project/problem-error.ts";
import { shown } from "../../text/shown.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { durationFlag } from "../framework/duration-flag.ts";
import { CliError, interrupted, readFailure, usageError, workError } from "../framework/errors.ts";
import { oneOf, textFlag } from "../framework/flags.ts";
import { withCliErrors } from "../framework/problems.ts";
import { loadProject } from "../models/project-work.ts";

const writesChoices = ["server", "local"] as const;
const crdsChoices = ["cluster", "project"] as const;

/** `scaffold plan`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Show what the operator would change in a cluster: its controllers reconcile each object once, and each write is a dry run. Nothing is changed.",
      )
      .argument("[object...]", "only these objects, as KIND/NAME; flags for the manager after --")
      .option("-n, --namespace <namespace>", "the namespace of the objects (default: default), or of all to reconcile")
      .option("-f, --filename <path>", "a file or directory with objects that a user applies first")
      .option("--context <name>", "the context of the kubeconfig (default: the current one)")
      .option("--kubeconfig <file>", "the kubeconfig (default: KUBECONFIG, or ~/.kube/config)")
      .option("--dev", "the cluster of the running session of scaffold dev")
      .option(
        "--impersonate [account]",
        "act as the ServiceAccount NAMESPACE/NAME (default: the manager's in config/default): --impersonate=ns/name",
      )
      .option("--writes <where>", "server: dry runs; local: compute them here, and send no write", "server")
      .option("--crds <where>", "with --writes local, the CRDs to use: cluster or project", "cluster")
      .option("--timeout <duration>", "time limit of each reconcile and list, such as 30s or 2m", "30s")
      .option("--out <file>", "also write the plan to a file, as JSON")
      .option("--markdown", "print Markdown for a comment, with at most 60,000 characters")
      .option(
        "--detailed-exitcode",
        "exit with 2 if the plan is complete and has changes, and with 1 for all failures",
      );
  },
  // A mistyped flag must not be read as the changes of a plan.
  usageExitCode: (rawArgs) => (rawArgs.includes("--detailed-exitcode") ? 1 : 2),
  completions: {
    flags: { writes: { choices: writesChoices }, crds: { choices: crdsChoices } },
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { cwd, signal, globals, options } = context;
  const { targets, args } = positionals(context);
  const planned: Omit<PlanOptions, "project" | "account"> = {
    root: cwd,
    env: kubeconfigEnv(context),
    signal,
    ...contextFlag(options),
    writes: oneOf("--writes", textFlag(options, "writes") ?? "", writesChoices),
    crds: oneOf("--crds", textFlag(options, "crds") ?? "", crdsChoices),
    targets: targets.map(targetOf),
    ...namespaceFlag(options),
    objects: await objectsIn(cwd, textFlag(options, "filename")),
    timeout: durationFlag(options, "timeout", "30s or 2m") ?? 30_000,
    args,
    verbose: globals.verbose,
  };
  if (planned.crds === "project" && planned.writes === "server") {
    throw usageError("--crds project: only with --writes local, because the server has its own definitions");
  }
  if (globals.json && options.markdown === true) throw usageError("--json and --markdown exclude each other");
  const project = await loadProject(context);
  const asked = accountFlag(context);
  const account = asked === "project" ? await managerAccount(cwd) : asked;
  if (globals.dryRun) {
    const calls = ["esbuild src/main.ts --bundle", ["node", "main.mjs", ...args].join(" ")];
    return { exitCode: 0, operations: [], output: calls.join("\n"), data: { calls } };
  }
  const { runPlan } = await import("../../plan/run-plan.ts");
  const plan = await withCliErrors(() => runPlan({ ...planned, project, ...(account ? { account } : {}) })).catch(
    (error: unknown) => {
      throw signal.aborted ? interrupted() : error;
    },
  );
  const out = textFlag(options, "out");
  if (out !== undefined) writeOut(resolve(cwd, out), out, plan);
  const { planText } = await import("../../plan/text.ts");
  const { planMarkdown } = await import("../../plan/markdown.ts");
  const markdown = options.markdown === true;
  return {
    exitCode: exitCodeOf(plan, options.detailedExitcode === true),
    output: markdown ? planMarkdown(plan) : planText(plan),
    ...(markdown ? { exact: true } : {}),
    data: { ...plan },
  };
}

/** Separates objects from flags of the manager, which follow `--`. */
function positionals({ args, rawArgs }: CommandContext): { targets: string[]; args: string[] } {
  const separator = rawArgs.indexOf("--");
  const passed = separator === -1 ? [] : rawArgs.slice(separator + 1);
  const targets = args.slice(0, args.length - passed.length).filter((word) => word !== "--");
  // commander reads a word after --impersonate as its value. It is one only after `=`.
  const at = rawArgs.indexOf("--impersonate");
  const next = at === -1 ? undefined : rawArgs[at + 1];
  if (next !== undefined && !next.startsWith("-") && (separator === -1 || at < separator)) targets.unshift(next);
  return { targets, args: passed };
}

function accountFlag({
  options,
  rawArgs,
}: CommandContext): "project" | undefined | { namespace: string; name: string } {
  const value = options.impersonate;
  if (value === undefined) return undefined;
  if (value === true || rawArgs.includes("--impersonate")) return "project";
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(String(value)) ?? [];
  if (namespace === undefined || name === undefined) {
    throw usageError(`--impersonate ${shown(String(value))}: must be NAMESPACE/NAME of a ServiceAccount`);
  }
  return { namespace, name };
}

/** Returns the ServiceAccount of the manager. */
async function managerAccount(root: string): Promise<Account> {
  const { accountOfProject } = await import("../../plan/account.ts");
  const hint = "name it: --impersonate=NAMESPACE/NAME";
  try {
    const account = accountOfProject(root);
    if (account) return account;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw usageError(`--impersonate: the ServiceAccount of the manager is unknown: ${error.message}`, hint);
  }
  throw usageError("--impersonate: config/default doesn't name the ServiceAccount of the manager", hint);
}

function kubeconfigEnv({ cwd, env, options }: CommandContext): CommandContext["env"] {
  const file = textFlag(options, "kubeconfig");
  if (options.dev !== true) return file === undefined ? env : { ...env, KUBECONFIG: resolve(cwd, file) };
  if (file !== undefined || options.context !== undefined) {
    throw usageError("--dev excludes --kubeconfig and --context: it uses the cluster of the session");
  }
  const { kubeconfig: path } = sessionPaths(cwd);
  if (!existsSync(path)) {
    throw workError(
      "no-cluster",
      "--dev: no session of scaffold dev is running in this project",
      "run npx scaffold dev",
    );
  }
  return { ...env, KUBECONFIG: path };
}

function contextFlag(options: CommandContext["options"]): { context?: string } {
  const context = textFlag(options, "context");
  return context === undefined ? {} : { context };
}

function namespaceFlag(options: CommandContext["options"]): { namespace?: string } {
  const namespace = textFlag(options, "namespace");
  return namespace === undefined ? {} : { namespace };
}

function targetOf(text: string): { kind: string; name: string } {
  const [, kind, name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (kind !== undefined && name !== undefined) return { kind, name };
  throw usageError(`${shown(text)}: must be KIND/NAME, such as Game/chess`);
}

async function objectsIn(cwd: string, path: string | undefined): Promise<object[]> {
  if (path === undefined) return [];
  const { readValues } = await import("../../yaml/values.ts");
  try {
    const full = resolve(cwd, path);
    const files = statSync(full).isDirectory()
      ? readdirSync(full)
          .filter((file) => /\.(?:ya?ml|json)$/.test(file))
          .sort()
          .map((file) => join(full, file))
      : [full];
    const values = files.flatMap((file) => readValues(readFileSync(file, "utf8")));
    return values.flatMap((value) => objectsOf(value));
  } catch (error) {
    throw usageError(`--filename ${shown(path)}: ${readFailure(error)}`);
  }
}

/** Returns the objects of a document, which can be a list. Empty documents have none. */
function objectsOf(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  return typeof kind === "string" && kind.endsWith("List") && Array.isArray(items) ? items.flatMap(objectsOf) : [value];
}

function writeOut(path: string, shownPath: string, plan: PlanDocument): void {
  try {
    writeFileSync(path, `${JSON.stringify(plan, null, 2)}\n`);
  } catch (error) {
    throw new CliError(1, "system", `--out ${shownPath}: ${readFailure(error)}`);
  }
}

/** With detailed exit codes, 2 means changes. */
function exitCodeOf({ complete, changes, external }: PlanDocument, isDetailed: boolean): 0 | 1 | 2 {
  if (!complete) return 1;
  return isDetailed && changes.length + external.length > 0 ? 2 : 0;
}
