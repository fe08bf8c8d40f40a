import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { shown } from "../project/names.ts";
import type { ExternalApi } from "../project/target.ts";
import { packageOf } from "../scaffold/dependency.ts";
import { readJson } from "../yaml/json.ts";
import type { CommandContext } from "./command.ts";
import { workError } from "./errors.ts";
import { fetchDependencies } from "./fetch-dependencies.ts";
import { findProgram, programEnvironment } from "./programs.ts";

/** Milliseconds that a registry may take to answer. */
const patience = 20_000;

/**
 * The flags of a kind of another package, with a version of the package: PROJECT and package.json say the same on every machine.
 * Without one it is that of the project's own package.json, the one that is installed, or the newest in the registry.
 *
 * @throws CliError if no version is given and the registry can't be asked
 */
export async function withPackageVersion(context: CommandContext, external: ExternalApi): Promise<ExternalApi> {
  if (external.package === undefined) return external;
  const { name, version } = packageOf(external.package);
  if (version !== undefined) return external;
  const { dependencies = {}, devDependencies = {} } = manifestIn(context.cwd);
  const installed = manifestIn(join(context.cwd, "node_modules", name)).version;
  const known = dependencies[name] ?? devDependencies[name] ?? (installed === undefined ? undefined : `^${installed}`);
  return { ...external, package: `${name}@${known ?? `^${await newest(context, name)}`}` };
}

/** Installs the package of a kind, if the project's packages are installed and this one isn't. */
export async function fetchPackage(context: CommandContext, { package: wanted }: ExternalApi): Promise<void> {
  const modules = join(context.cwd, "node_modules");
  if (wanted === undefined || context.globals.dryRun || !existsSync(modules)) return;
  if (!existsSync(join(modules, packageOf(wanted).name))) await fetchDependencies(context);
}

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifestIn(directory: string): Manifest {
  try {
    return readJson(readFileSync(join(directory, "package.json"), "utf8")) as Manifest;
  } catch {
    // What can't be read says nothing; the plan that changes it says why.
    return {};
  }
}

async function newest(context: CommandContext, name: string): Promise<string> {
  const { execa } = await import("execa");
  const npm = findProgram("npm", context);
  const unknown = workError(
    "no-package-version",
    `--external-api-module ${shown(name)} has no version, and npm could not be asked for the newest`,
    `name one, such as ${name}@1.2.3`,
  );
  if (npm === undefined || "inside" in npm) throw unknown;
  const { failed, stdout } = await execa(npm.path, ["view", name, "version"], {
    cwd: context.cwd,
    env: programEnvironment(context),
    extendEnv: false,
    cancelSignal: context.signal,
    timeout: patience,
    reject: false,
    stdin: "ignore",
  });
  const version = String(stdout ?? "").trim();
  if (failed || !/^\d+\.\d+\.\d+[\w.+-]*$/.test(version)) throw unknown;
  return version;
}
