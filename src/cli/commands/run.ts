import { existsSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { CliError, workError } from "../errors.ts";
import { Interruption } from "../interruption.ts";
import { notAProject } from "../project-work.ts";

const tasks = "hack/tasks.mjs";

/** `scaffold run`. It runs the project's own task, so that the user's changes to `make run` apply. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Run the manager on this machine, as make run does: generate manifests, check types, bundle, start.")
      .argument("[flag...]", "flags for the manager, after --: scaffold run -- --leader-elect");
  },
  run,
};

async function run({ args, cwd, env, globals, terminal, signal }: CommandContext): Promise<CommandResult> {
  if (!existsSync(join(cwd, "PROJECT"))) throw notAProject(cwd);
  if (!existsSync(join(cwd, tasks))) {
    throw workError(
      "missing-file",
      `${tasks} is missing: scaffold run needs it to start the manager`,
      "restore it from version control",
    );
  }
  const line = ["node", tasks, "run", ...args];
  if (globals.dryRun) return { exitCode: 0, operations: [], output: line.join(" ") };
  terminal.detail(line.join(" "));
  const child = execa(process.execPath, [tasks, "run", ...args], {
    cwd,
    env: { ...env },
    extendEnv: false,
    reject: false,
    forceKillAfterDelay: false,
    stdio: globals.json ? ["inherit", process.stderr, process.stderr] : "inherit",
  });
  // The terminal has sent Ctrl-C to the manager too, and a second signal would force an immediate exit.
  const relay = () => {
    const { reason } = signal;
    const isTyped = reason instanceof Interruption && reason.by === "SIGINT" && terminal.input.isTTY === true;
    if (!isTyped) child.kill("SIGTERM");
  };
  signal.addEventListener("abort", relay, { once: true });
  if (signal.aborted) relay();
  const { exitCode, isTerminated, failed } = await child;
  if (!failed || exitCode === 0) return { exitCode: 0 };
  if (signal.aborted || isTerminated) throw new CliError(130, "interrupted", "interrupted: the manager was stopped");
  throw workError("run-failed", `the manager failed with exit code ${exitCode}`);
}
