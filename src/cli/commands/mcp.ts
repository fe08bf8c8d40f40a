import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { oneOf, textFlag } from "../framework/flags.ts";
import { cliVersion, ownManifest, packageRoot } from "../framework/version.ts";
import { nearestProject } from "../models/nearest-project.ts";

/** The configuration of a client, and its file. */
export interface ClientConfig {
  /** Relative to the project. */
  readonly path: string;
  readonly config: object;
}

const clientNames = ["claude", "cursor", "vscode"] as const;

/** Returns the configuration of each client for a call of the server. */
function configsOf(args: readonly string[]): Readonly<Record<(typeof clientNames)[number], ClientConfig>> {
  const call = { command: "npx", args: ["scaffold", "mcp", ...args] };
  return {
    claude: { path: ".mcp.json", config: { mcpServers: { kubewright: call } } },
    cursor: { path: ".cursor/mcp.json", config: { mcpServers: { kubewright: call } } },
    vscode: { path: ".vscode/mcp.json", config: { servers: { kubewright: { type: "stdio", ...call } } } },
  };
}

/** `scaffold mcp`. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Serve the Model Context Protocol on stdin and stdout, for coding assistants.")
      .option("--root <directory>", "the project (default: the working directory)")
      .option("--read-only", "offer only tools that change nothing")
      .option("--allow-cluster <contexts...>", "allow these contexts of the kubeconfig")
      .option("--print-config <client>", `print the configuration of a client: ${clientNames.join(", ")}`);
  },
  completions: { flags: { "print-config": { choices: clientNames } } },
  run,
};

/** Returns the flags of a call as words, for the configuration. */
function serverFlags(options: CommandContext["options"]): string[] {
  const root = textFlag(options, "root");
  return [
    ...(root === undefined ? [] : [`--root=${root}`]),
    ...(options.readOnly === true ? ["--read-only"] : []),
    ...allowedContexts(options).map((name) => `--allow-cluster=${name}`),
  ];
}

function allowedContexts({ allowCluster = [] }: CommandContext["options"]): readonly string[] {
  return allowCluster as readonly string[];
}

async function run(context: CommandContext): Promise<CommandResult> {
  const { cwd, env, options, globals, signal, terminal } = context;
  const client = textFlag(options, "printConfig");
  if (client !== undefined) {
    const name = oneOf("--print-config", client, clientNames);
    const { path, config } = configsOf(serverFlags(options))[name];
    terminal.note(`write it to ${path}`);
    return { exitCode: 0, output: JSON.stringify(config, null, 2), exact: true, data: { path, config } };
  }
  if (globals.json) throw usageError("scaffold mcp prints protocol messages: --json needs --print-config");
  if (globals.dryRun) throw usageError("scaffold mcp has no --dry-run: with --read-only, it writes nothing");
  const start = resolve(cwd, textFlag(options, "root") ?? ".");
  if (!existsSync(start)) throw usageError(`--root ${start}: no such directory`);
  const project = nearestProject(start);
  const root = realpathSync(project === undefined ? start : dirname(project.path));
  const { ProjectSession } = await import("../../mcp/session.ts");
  const { Plans } = await import("../../mcp/plans.ts");
  const { readPages } = await import("../../mcp/pages.ts");
  const { serve } = await import("../../mcp/server.ts");
  const place = { program: join(packageRoot(), "bin", "scaffold.js"), root, env: { ...env, NO_COLOR: "1" } };
  const session = new ProjectSession(place, allowedContexts(options));
  const services = {
    ...{ place, session, plans: new Plans(root), pages: readPages(packageRoot()) },
    ...{ packageRoot: packageRoot(), version: cliVersion(), site: ownManifest().homepage },
  };
  await serve(services, { readOnly: options.readOnly === true, signal });
  return { exitCode: 0, silent: true };
}
