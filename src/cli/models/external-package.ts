import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../programs/run.ts";
import type { ExternalApi } from "../../project/target.ts";
import { packageOf } from "../../scaffold/parts/dependency.ts";
import { shown } from "../../text/shown.ts";
import type { CommandContext } from "../framework/command.ts";
import { workError } from "../framework/errors.ts";
import { findProgram, programEnvironment } from "../framework/programs.ts";
import { fetchDependencies } from "./fetch-dependencies.ts";
import { readManifest } from "./package-manifest.ts";

/** Timeout of a registry request in milliseconds. */
const registryTimeout = 20_000;

/**
 * Adds a version to the package of an external kind, so that PROJECT and package.json are the same on every machine. The version
 * is the one from the flag, package.json, the installed package, or the newest in the registry, in this order.
 *
 * @throws CliError if no version is recorded and the registry doesn't respond
 */
export async function withPackageVersion(context: CommandContext, external: ExternalApi): Promise<ExternalApi> {
  if (external.package === undefined) return external;
  const { name, version } = packageOf(external.package);
  if (version !== undefined) return external;
  // Ignore an unreadable file here: the plan that changes it reports the error.
  const { dependencies = {}, devDependencies = {} } = readManifest(join(context.cwd, "package.json")) ?? {};
  const installed = readManifest(join(context.cwd, "node_modules", name, "package.json"))?.version;
  const recorded =
    dependencies[name] ?? devDependencies[name] ?? (installed === undefined ? undefined : `^${installed}`);
  return { ...external, package: `${name}@${recorded ?? `^${await newest(context, name)}`}` };
}

/** Installs the package of a kind, unless it is installed already or the project's packages aren't. */
export async function fetchPackage(context: CommandContext, { package: wanted }: ExternalApi): Promise<void> {
  const modules = join(context.cwd, "node_modules");
  if (wanted === undefined || context.globals.dryRun || !existsSync(modules)) return;
  if (!existsSync(join(modules, packageOf(wanted).name))) await fetchDependencies(context);
}

async function newest(context: CommandContext, name: string): Promise<string> {
  const npm = findProgram("npm", context);
  const unknown = workError(
    "no-package-version",
    `--external-api-module ${shown(name)} has no version, and npm couldn't find the newest one`,
    `add a version, such as ${name}@1.2.3`,
  );
  if (npm === undefined || "inside" in npm) throw unknown;
  const { failed, stdout } = await run(npm.path, ["view", name, "version"], {
    cwd: context.cwd,
    env: programEnvironment(context),
    signal: context.signal,
    timeout: registryTimeout,
  });
  const version = stdout.trim();
  if (failed || !/^\d+\.\d+\.\d[\w.+-]*$/.test(version)) throw unknown;
  return version;
}
