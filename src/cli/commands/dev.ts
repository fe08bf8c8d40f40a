import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { CliError, usageError, withFields } from "../framework/errors.ts";
import { thrownProblem } from "../framework/problems.ts";
import { packageRoot } from "../framework/version.ts";
import { checkProjectFile, loadProject } from "../models/project-work.ts";

const kubernetesVersions = ["1.37", "1.36"];

/** `scaffold dev`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Run the project with an API server on this machine. After each change, generate, apply CRDs, check types, bundle, and restart the manager. Other commands use the running session, such as scaffold dev why.",
      )
      .argument("[flag...]", "flags for the manager, after --: npx scaffold dev -- --zap-log-level=debug")
      .option("--engine <engine>", "embedded (the default) or binaries: etcd and kube-apiserver")
      .option("--kubernetes-version <version>", "whose API is served: 1.37 (the default) or 1.36")
      .option("--cluster", "use the cluster of the current kubeconfig context")
      .option("--reset", "remove the objects of the last session")
      .option("--no-samples", "don't apply the samples to an empty cluster")
      .option("--no-takeover", "don't take over the lease of an operator in the cluster")
      .option("--webhook-url <url>", "URL at which the cluster reaches the webhooks of this machine")
      .option("--replay <file>", "show the findings of scaffold simulate --json, without a cluster");
  },
  completions: {
    flags: { engine: { choices: ["embedded", "binaries"] }, "kubernetes-version": { choices: kubernetesVersions } },
    words: async () => (await import("./dev-session.ts")).devSubcommands,
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { cwd, env, args, options, globals, terminal, signal } = context;
  if (options.replay !== undefined) return replay(context, String(options.replay));
  const engine = engineOf(options);
  const webhookUrl = webhookUrlOf(options);
  const kubernetesVersion = kubernetesVersionOf(options);
  const project = await loadProject(context);
  // pnpm adds its own "--" to that of the npm script.
  const passed = args[0] === "--" ? args.slice(1) : args;
  const [first = "-"] = passed;
  if (!first.startsWith("-")) {
    const { shown } = await import("../../text/shown.ts");
    throw usageError(`scaffold dev has no subcommand ${shown(first)}`, "scaffold --help lists all commands");
  }
  if (globals.dryRun) {
    const calls = ["esbuild src/main.ts --bundle", ["node", "main.js", ...passed].join(" ")];
    return { exitCode: 0, operations: [], output: calls.join("\n"), data: { calls } };
  }
  const { runSession } = await import("../../dev/run.ts");
  const { projectRequest } = await import("../generate-call/call.ts");
  const { cacheFor } = await import("../generate-call/cache.ts");
  try {
    await runSession({
      root: cwd,
      project,
      env,
      args: passed,
      engine,
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
      reset: options.reset === true,
      samples: options.samples !== false,
      takeover: options.takeover !== false,
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
      signal,
      json: globals.json,
      quiet: globals.quiet,
      verbose: globals.verbose,
      color: terminal.resultColor,
      input: terminal.hasKeys && !globals.json ? terminal.input : undefined,
      onClosed: (listener) => terminal.onClosed(listener),
      assets: dashboardFiles(),
      print: (output) => context.emit({ exitCode: 0, output }),
      printEvent: (event) => context.emit({ exitCode: 0, data: { ...event } }),
      printAside: (line) => terminal.print(`${line}\n`),
      request: async () => {
        await checkProjectFile(cwd);
        return projectRequest(cwd);
      },
      cache: cacheFor(cwd, false),
      confirm: async (name, server) => {
        if (globals.agreed) return true;
        if (!terminal.interactive) return false;
        const { askYesNo } = await import("../framework/prompts.ts");
        return askYesNo(terminal, signal, `Apply CRDs and samples to the cluster of context ${name} (${server})?`, "n");
      },
    });
  } catch (error) {
    const event = { event: "stopped", time: new Date().toISOString(), reason: (error as Error).message };
    throw withFields(error instanceof ProblemError ? thrownProblem(error) : error, event);
  }
  // Ctrl-C is how a session usually ends.
  return { exitCode: 0, silent: true };
}

/** Shows the findings of a simulation in the dashboard. */
async function replay(context: CommandContext, source: string): Promise<CommandResult> {
  const { cwd, args, options, globals, terminal, signal } = context;
  const others = {
    engine: options.engine,
    cluster: options.cluster,
    reset: options.reset,
    "kubernetes-version": options.kubernetesVersion,
    "webhook-url": options.webhookUrl,
  };
  const [other] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`]));
  if (other !== undefined) throw usageError(`--replay excludes ${other}: it uses no cluster`);
  if (args.length > 0) throw usageError("--replay excludes flags for the manager: it runs no manager");
  const { readReplay } = await import("../../dev/replay/read.ts");
  const { runReplay } = await import("../../dev/replay/run.ts");
  const { printable } = await import("../../text/shown.ts");
  let read: ReturnType<typeof readReplay>;
  try {
    read = readReplay(resolve(cwd, source), source);
  } catch (error) {
    throw error instanceof ProblemError ? new CliError(2, error.id, error.message, error.hint) : error;
  }
  const findings = read.findings.length;
  const emit = (event: string, fields: object, text: string): void => {
    const data = { event, time: new Date().toISOString(), ...fields };
    context.emit(globals.json ? { exitCode: 0, data } : { exitCode: 0, output: text });
  };
  if (globals.dryRun) {
    return { exitCode: 0, operations: [], output: `show ${printable(source)}`, data: { calls: [] } };
  }
  const input = terminal.hasKeys && !globals.json ? terminal.input : undefined;
  const reason = await runReplay({
    replay: read,
    signal,
    input,
    assets: dashboardFiles(),
    onReady: (dashboard, durationMs) =>
      emit(
        "ready",
        { dashboard, durationMs, replay: source, findings },
        [
          `replay      ${printable(source)}: ${findings} ${findings === 1 ? "finding" : "findings"}`,
          `dashboard   ${dashboard}`,
          ...(input ? ["o open the dashboard · q quit"] : []),
        ].join("\n"),
      ),
    onUrl: (url) => context.emit({ exitCode: 0, output: url }),
  });
  emit("stopped", { reason }, `stopped: ${reason}`);
  return { exitCode: 0, silent: true };
}

/** Returns the directory of the dashboard's files; undefined if they aren't built. */
function dashboardFiles(): string | undefined {
  const directory = join(packageRoot(), "dist", "dashboard");
  return existsSync(directory) ? directory : undefined;
}

function engineOf({ engine, cluster, reset }: CommandContext["options"]): "embedded" | "binaries" | "cluster" {
  if (engine !== undefined && engine !== "embedded" && engine !== "binaries") {
    throw usageError(
      `--engine ${String(engine)}: must be embedded or binaries`,
      "for the current cluster, use --cluster",
    );
  }
  if (reset === true && (cluster === true || engine === "binaries")) {
    const other = cluster === true ? "--cluster" : "--engine binaries";
    throw usageError(`--reset and ${other} contradict each other: only the embedded API server keeps its objects`);
  }
  if (cluster !== true) return engine ?? "embedded";
  if (engine !== undefined) throw usageError("--engine and --cluster contradict each other", "use one of them");
  return "cluster";
}

function kubernetesVersionOf({ kubernetesVersion, cluster }: CommandContext["options"]): string | undefined {
  if (kubernetesVersion === undefined) return undefined;
  const version = String(kubernetesVersion);
  if (!kubernetesVersions.includes(version)) {
    throw usageError(`--kubernetes-version ${version}: must be ${kubernetesVersions.join(" or ")}`);
  }
  if (cluster === true) throw usageError("--kubernetes-version and --cluster contradict each other", "use one of them");
  return version;
}

function webhookUrlOf({ webhookUrl }: CommandContext["options"]): string | undefined {
  if (webhookUrl === undefined) return undefined;
  const text = String(webhookUrl);
  if (text.startsWith("https://") && URL.canParse(text)) return text;
  throw usageError(
    `--webhook-url ${text}: must be an https URL`,
    "for example: --webhook-url https://192.168.1.5:9443",
  );
}
