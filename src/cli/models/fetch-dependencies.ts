import { run } from "../../programs/run.ts";
import type { PackageManager } from "../../scaffold/commands/package-manager.ts";
import type { CommandContext } from "../framework/command.ts";
import { CliError, workError } from "../framework/errors.ts";
import { findProgram, programEnvironment } from "../framework/programs.ts";
import { withProgress } from "../framework/progress.ts";

type Manager = PackageManager["name"];

/** The install command of each package manager. It updates the lock file even if `CI` is set, where some refuse to. */
const installing: Readonly<Record<Manager, readonly string[]>> = {
  npm: ["install"],
  pnpm: ["install", "--no-frozen-lockfile"],
  yarn: ["install"],
  bun: ["install"],
};
/**
 * The first attempt of npm: it doesn't ask the registry again for what its cache has, which takes 12 s in place of 24 s for a new
 * project. The cached list of a package's versions can be older than the version that the project needs: then {@link installing}
 * follows.
 */
const fromCache = ["install", "--prefer-offline"];
/** Yarn before version 2 doesn't know the corresponding flag, so an environment variable is used. */
const forYarn = { YARN_ENABLE_IMMUTABLE_INSTALLS: "false" };

/** Detects the package manager that started this process by its user agent, such as `pnpm/10.34.8 npm/? …`. The default is npm. */
export function packageManager(userAgent: string | undefined): PackageManager {
  const [, manager, version] = /^(\w+)\/(\d\S*)/.exec(userAgent ?? "") ?? [];
  const supported = (Object.keys(installing) as Manager[]).find((name) => name === manager);
  return supported === undefined ? { name: "npm", version: undefined } : { name: supported, version };
}

/**
 * Installs the project's packages, with output on stderr.
 *
 * @throws CliError with instructions if it fails; the scaffolded files stay
 */
export async function fetchDependencies(context: CommandContext): Promise<void> {
  const { name: manager } = packageManager(context.env.npm_config_user_agent);
  const messages = { during: `Installing packages with ${manager}`, done: "Installed packages" };
  await withProgress(context.terminal, messages, () => install(manager, context));
}

async function install(manager: Manager, context: CommandContext): Promise<void> {
  const { globals, cwd, signal } = context;
  const program = findProgram(manager, context);
  if (program !== undefined && "inside" in program) {
    throw workError(
      "install-failed",
      `the project was created, but its packages were not installed: ${manager} was found only in this directory`,
      `install ${manager} on this machine, then run "${manager} install" in the project`,
    );
  }
  // Returned for the error message; shown immediately only with --verbose.
  const output = globals.verbose ? "both" : "return";
  const runManager = (args: readonly string[]) =>
    run(program?.path ?? manager, args, {
      cwd,
      env: { ...programEnvironment(context), ...forYarn },
      signal,
      stdout: output,
      stderr: output,
    });
  let result = await runManager(manager === "npm" ? fromCache : installing[manager]);
  if (manager === "npm" && result.failed && /\bETARGET\b/.test(result.stderr))
    result = await runManager(installing.npm);
  const { failed, isCanceled, message, stdout, stderr } = result;
  const again = `run "${manager} install" in the project`;
  if (isCanceled || signal.aborted) {
    throw new CliError(
      130,
      "interrupted",
      "interrupted: the project was created, but its packages were not installed",
      again,
    );
  }
  if (failed) {
    throw workError(
      "install-failed",
      `the project was created, but its packages could not be installed: ${message}`,
      [`fix the cause, then ${again}`, ...causes(stderr, stdout)].join("\n"),
    );
  }
}

/**
 * Returns the lines that name the cause: those of errors on stderr, or the last ones of stdout, where Yarn prints errors (its
 * lines with YN0000 are headings).
 */
function causes(stderr: string, stdout: string): string[] {
  const errors = stderr.split("\n").filter((line) => /err/i.test(line) && !/error\s+at /.test(line));
  if (errors.length > 0) return errors.slice(0, 5);
  const printed = stdout.split("\n").filter((line) => line.trim() !== "" && !line.includes("YN0000"));
  return printed.slice(-5);
}
