import type { PackageManager } from "../scaffold/package-manager.ts";
import type { CommandContext } from "./command.ts";
import { CliError, workError } from "./errors.ts";
import { findProgram, programEnvironment } from "./programs.ts";
import { withProgress } from "./progress.ts";

type Manager = PackageManager["name"];

/** How each installs. The lock file follows what has just been written, even where `CI` makes them refuse that. */
const installing: Readonly<Record<Manager, readonly string[]>> = {
  npm: ["install"],
  pnpm: ["install", "--no-frozen-lockfile"],
  yarn: ["install"],
  bun: ["install"],
};
/** Yarn has a flag for it that its versions before 2 don't know. */
const forYarn = { YARN_ENABLE_IMMUTABLE_INSTALLS: "false" };

/** The package manager that started this process says so in its user agent, as `pnpm/10.34.8 npm/? …`; without one it is npm. */
export function packageManager(userAgent: string | undefined): PackageManager {
  const [, found, version] = /^(\w+)\/(\d\S*)/.exec(userAgent ?? "") ?? [];
  const known = (Object.keys(installing) as Manager[]).find((name) => name === found);
  return known === undefined ? { name: "npm", version: undefined } : { name: known, version };
}

/** Installs the project's packages. Its output goes to stderr; a failure leaves the tree as it is and says what to do. */
export async function fetchDependencies(context: CommandContext): Promise<void> {
  const { name: manager } = packageManager(context.env.npm_config_user_agent);
  const told = { during: `Installing packages with ${manager}`, done: "Packages are installed" };
  await withProgress(context.terminal, told, () => install(manager, context));
}

async function install(manager: Manager, context: CommandContext): Promise<void> {
  const { globals, cwd, signal } = context;
  const { execa } = await import("execa");
  const found = findProgram(manager, context);
  if (found !== undefined && "inside" in found) {
    throw workError(
      "install-failed",
      `the project is there, but its packages are not installed: ${manager} isn't on this machine, only in this directory`,
      `install ${manager}, then run "${manager} install" in it`,
    );
  }
  const { failed, isCanceled, shortMessage, stderr } = await execa(found?.path ?? manager, installing[manager], {
    cwd,
    env: { ...programEnvironment(context), ...forYarn },
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
