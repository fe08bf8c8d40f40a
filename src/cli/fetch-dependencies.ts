import type { CommandContext } from "./command.ts";
import { CliError, workError } from "./errors.ts";
import { withProgress } from "./progress.ts";

const managers = ["npm", "pnpm", "yarn", "bun"] as const;
type Manager = (typeof managers)[number];

/** The package manager that started this process says so in its user agent; without one it is npm. */
export function packageManager(userAgent: string | undefined): Manager {
  const name = userAgent?.split("/")[0];
  return managers.find((manager) => manager === name) ?? "npm";
}

/** Installs the project's packages. Its output goes to stderr; a failure leaves the tree as it is and says what to do. */
export async function fetchDependencies(context: CommandContext): Promise<void> {
  const manager = packageManager(context.env.npm_config_user_agent);
  const told = { during: `Installing packages with ${manager}`, done: "Packages are installed" };
  await withProgress(context.terminal, told, () => install(manager, context));
}

async function install(manager: Manager, { globals, cwd, env, signal }: CommandContext): Promise<void> {
  const { execa } = await import("execa");
  const { failed, isCanceled, shortMessage, stderr } = await execa(manager, ["install"], {
    cwd,
    env: { ...env },
    extendEnv: false,
    cancelSignal: signal,
    reject: false,
    stdin: "ignore",
    // Kept for the error message; shown as it comes only when asked for.
    stdout: globals.verbose ? process.stderr : "ignore",
    stderr: globals.verbose ? ["pipe", process.stderr] : "pipe",
  });
  const again = `run "${manager} install" in it`;
  if (isCanceled || signal.aborted) {
    throw new CliError(130, "interrupted", "interrupted: the project is there, its packages are not installed", again);
  }
  if (failed) {
    const lines = String(stderr ?? "")
      .split("\n")
      .filter((line) => /err/i.test(line) && !/error\s+at /.test(line));
    throw workError(
      "install-failed",
      `the project is there, but its packages could not be installed: ${shortMessage}`,
      [`${again} once the cause is gone`, ...lines.slice(0, 5)].join("\n"),
    );
  }
}
