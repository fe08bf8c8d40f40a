import { existsSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { thrownProblem } from "../framework/problems.ts";
import { packageRoot } from "../framework/version.ts";
import { loadProject } from "../models/project-work.ts";

/** `scaffold dev`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Run the project with an API server on this machine. After each change, generate, apply CRDs, check types, bundle, and restart the manager. Other commands use the running session, such as scaffold dev why.",
      )
      .argument("[flag...]", "flags for the manager, after --: scaffold dev -- --zap-log-level=debug")
      .option("--engine <engine>", "embedded (the default) or binaries: etcd and kube-apiserver")
      .option("--cluster", "use the cluster of the current kubeconfig context")
      .option("--reset", "remove the objects of the last session")
      .option("--no-samples", "don't apply the samples to an empty cluster")
      .option("--no-takeover", "don't take over the lease of an operator in the cluster")
      .option("--webhook-url <url>", "URL at which the cluster reaches the webhooks of this machine");
  },
  completions: {
    flags: { engine: { choices: ["embedded", "binaries"] } },
    words: async () => (await import("./dev-session.ts")).devSubcommands,
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { cwd, env, args, options, globals, terminal, signal } = context;
  const engine = engineOf(options);
  const webhookUrl = webhookUrlOf(options);
  const project = await loadProject(context);
  // pnpm adds its own "--" to that of the npm script.
  const passed = args[0] === "--" ? args.slice(1) : args;
  const [first = "-"] = passed;
  if (!first.startsWith("-")) {
    throw usageError(`scaffold dev has no subcommand ${JSON.stringify(first)}`, "run scaffold --help for all commands");
  }
  if (globals.dryRun) {
    const calls = ["esbuild src/main.ts --bundle", ["node", "main.js", ...passed].join(" ")];
    return { exitCode: 0, operations: [], output: calls.join("\n"), data: { calls } };
  }
  const { runSession } = await import("../../dev/run.ts");
  const { projectRequest } = await import("./generate/call.ts");
  const assets = join(packageRoot(), "dist", "dashboard");
  try {
    await runSession({
      root: cwd,
      project,
      env,
      args: passed,
      engine,
      reset: options.reset === true,
      samples: options.samples !== false,
      takeover: options.takeover !== false,
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
      signal,
      json: globals.json,
      quiet: globals.quiet,
      verbose: globals.verbose,
      color: terminal.resultColor,
      input: terminal.interactive && !globals.json ? terminal.input : undefined,
      assets: existsSync(assets) ? assets : undefined,
      print: (output) => context.emit({ exitCode: 0, output }),
      printEvent: (event) => context.emit({ exitCode: 0, data: { ...event } }),
      printAside: (line) => terminal.print(`${line}\n`),
      request: () => projectRequest(cwd),
      confirm: async (name, server) => {
        if (globals.yes) return true;
        if (!terminal.interactive) return false;
        const { askYesNo } = await import("../framework/prompts.ts");
        return askYesNo(terminal, signal, `Apply CRDs and samples to the cluster of context ${name} (${server})?`);
      },
    });
  } catch (error) {
    throw error instanceof ProblemError ? thrownProblem(error) : error;
  }
  // Ctrl-C is how a session usually ends.
  return { exitCode: 0, silent: true };
}

function engineOf({ engine, cluster }: CommandContext["options"]): "embedded" | "binaries" | "cluster" {
  if (engine !== undefined && engine !== "embedded" && engine !== "binaries") {
    throw usageError(
      `--engine ${String(engine)}: must be embedded or binaries`,
      "for the current cluster, use --cluster",
    );
  }
  if (cluster !== true) return engine ?? "embedded";
  if (engine !== undefined) throw usageError("--engine and --cluster contradict each other", "use one of them");
  return "cluster";
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
