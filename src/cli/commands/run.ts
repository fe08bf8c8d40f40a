import { existsSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { CliError, workError } from "../errors.ts";
import { Interruption } from "../interruption.ts";
import { notAProject } from "../project-work.ts";

const tasks = "hack/tasks.mjs";

/** `scaffold run`: the project's own task, so that it does what `make run` does, with the user's changes to it. */
export const command: CommandModule = {
  define(program) {
    program
      .description("Runs the manager on this machine, as make run does: manifests, types, bundle, start.")
      .argument("[flag...]", "the manager's own flags, behind --: scaffold run -- --leader-elect");
  },
  run,
};

async function run({ args, cwd, env, globals, terminal, signal }: CommandContext): Promise<CommandResult> {
  if (!existsSync(join(cwd, "PROJECT"))) throw notAProject(cwd);
  if (!existsSync(join(cwd, tasks))) {
    throw workError(
      "missing-file",
      `${tasks} is missing: it is what runs the manager`,
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
  // The manager ends in its own time. Ctrl-C has reached it from the terminal: told twice, it would end at once.
  const relay = () => {
    const { reason } = signal;
    const isTyped = reason instanceof Interruption && reason.by === "SIGINT" && terminal.input.isTTY === true;
    if (!isTyped) child.kill("SIGTERM");
  };
  signal.addEventListener("abort", relay, { once: true });
  if (signal.aborted) relay();
  const { exitCode, isTerminated, failed } = await child;
  if (!failed || exitCode === 0) return { exitCode: 0 };
  if (signal.aborted || isTerminated) throw new CliError(130, "interrupted", "interrupted: the manager was ended");
  throw workError("run-failed", `the manager ended with exit code ${exitCode}`);
}
