import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { RUNTIME_VERSION } from "../../transport/user-agent.ts";
import { unpackStream } from "./archive.ts";
import { list } from "./list.ts";
import { withLock } from "./lock.ts";
import { isWanted, releaseLine, type Wanted } from "./matching.ts";
import { placeRelease, removeRelease } from "./place.ts";
import { Problem, reason } from "./problem.ts";
import { createProgress } from "./progress.ts";
import { DEFAULT_DOWNLOADS, DEFAULT_INDEX } from "./release-index.ts";
import type { StoredRelease } from "./store.ts";
import { defaultStoreDirectory, goArch, goOs, storedReleases } from "./store.ts";
import type { UseOptions } from "./use.ts";
import { holdsServers, use } from "./use.ts";
import { BUILDABLE_VERSIONS, DEFAULT_VERSION, minorOf, parseSelector } from "./versions.ts";

/** The available commands. */
export const COMMANDS: ReadonlySet<string> = new Set(["use", "list", "cleanup", "sideload", "version"]);

const USAGE = `Usage: setup-envtest use|list|cleanup|sideload|version [VERSION] [options]

Commands
  use                  find or install etcd and kube-apiserver, and print their directory
  list                 list installed and available releases
  cleanup              remove matching installed releases; without a version, all for this system and processor
  sideload             add a release archive to the store: setup-envtest sideload 1.37.2 < envtest.tar.gz
  version              print the version of this tool

VERSION: 1.37.2, 1.37, 1.37.x, ~1.37.1, <1.37, <=1.37, latest, latest-on-disk. A "!" at the end searches the index even if a release is installed.
Default: ${minorOf(DEFAULT_VERSION)}. Without release archives, ${BUILDABLE_VERSIONS.join(" and ")} can be built.

Options
  -p, --print WHAT     path (default), env (a line for the shell) or overview
  -i, --installed-only use installed releases only (ENVTEST_INSTALLED_ONLY)
      --controller-manager  require a kube-controller-manager too
      --use-env        use KUBEBUILDER_ASSETS if it is set (ENVTEST_USE_ENV)
      --bin-dir DIR    directory of the releases (default: the store of Go's setup-envtest)
      --os, --arch     another system or processor; list and cleanup accept "*"
      --force          install a release again
      --no-verify      don't compare checksums (--verify=false)
      --index URL      index of release archives
  -h, --help           print this help

If no release is installed, the release archives of controller-tools are tried first, then a build from Go modules if Go is on PATH.
`;

/** Runs the command line of setup-envtest. Returns the exit code: 0 success, 1 failure, 2 invalid usage, 130 interrupted. */
export async function main(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  input: Readable = process.stdin,
): Promise<number> {
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    process.stdout.write(await run(argv, env, input, interrupt.signal));
    return 0;
  } catch (error) {
    if (interrupt.signal.aborted) return 130;
    if (!(error instanceof Problem) && !isSystemError(error)) throw error;
    process.stderr.write(`setup-envtest: ${reason(error)}\n`);
    return error instanceof Problem ? error.exitCode : 1;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

async function run(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  input: Readable,
  signal: AbortSignal,
): Promise<string> {
  const { values, positionals } = parseCall(argv, env);
  const [command, version, ...more] = positionals;
  if (values.help) return USAGE;
  if (command === undefined || !COMMANDS.has(command)) {
    const what = command ? `unknown command ${command}` : "no command";
    throw new Problem(`${what}: say ${[...COMMANDS].join(", ")} (--help shows more)`, 2);
  }
  if (command === "version") return `setup-envtest version: ${RUNTIME_VERSION}\n`;
  if (more.length > 0) throw new Problem(`one version at most, not ${positionals.slice(1).join(" ")}`, 2);
  const selector = parseSelector(command === "cleanup" ? (version ?? "latest") : version);
  if (!selector)
    throw new Problem(
      `invalid version ${version}: it must be 1.37.2, 1.37, 1.37.x, ~1.37.1, <1.37 or latest, for example`,
      2,
    );
  if (!["path", "env", "overview"].includes(values.print)) {
    throw new Problem(`--print ${values.print}: say path, env or overview`, 2);
  }
  if (values["installed-only"] && values.force) throw new Problem("--installed-only and --force exclude each other", 2);
  const options = {
    store: values["bin-dir"] ?? defaultStoreDirectory(env),
    os: values.os,
    arch: values.arch,
    selector,
    installedOnly: values["installed-only"],
    force: values.force,
    verify: values.verify,
    index: values.index,
    downloads: env.KUBEWRIGHT_KUBERNETES_DOWNLOADS || DEFAULT_DOWNLOADS,
    controllerManager: values["controller-manager"],
    progress: createProgress(),
    signal,
  };
  const lines = (texts: readonly string[]): string => texts.map((line) => `${line}\n`).join("");
  if (command === "list") return lines(await list(options));
  if (command === "cleanup") return lines(await cleanup(options));
  if (options.os === "*" || options.arch === "*") {
    throw new Problem(`${command} needs one system and processor, not *`, 2);
  }
  if (command === "sideload") {
    const exact = /^v?(\d+\.\d+\.\d+)$/.exec(version ?? "")?.[1];
    if (!exact) throw new Problem(`sideload needs the archive's whole version, such as ${DEFAULT_VERSION}`, 2);
    const release = await sideload(options, exact, input);
    return show(values.print, release.directory, `v${release.version}`, options);
  }
  const assets = env.KUBEBUILDER_ASSETS;
  if (values["use-env"] && assets && holdsServers(assets))
    return show(values.print, assets, "of KUBEBUILDER_ASSETS", options);
  const release = await use(options);
  return show(values.print, release.directory, `v${release.version}`, options);
}

function show(what: string, directory: string, version: string, { os, arch }: { os: string; arch: string }): string {
  if (what === "path") return `${directory}\n`;
  if (what === "env") return `export KUBEBUILDER_ASSETS='${directory.replaceAll("'", `'"'"'`)}'\n`;
  return `Version: ${version}\nOS/Arch: ${os}/${arch}\nPath: ${directory}\n`;
}

/** The parsed arguments of a call. */
export interface ParsedCall {
  readonly positionals: readonly string[];
  readonly values: {
    readonly print: string;
    readonly "installed-only": boolean;
    readonly "controller-manager": boolean;
    readonly "use-env": boolean;
    readonly "bin-dir"?: string;
    readonly os: string;
    readonly arch: string;
    readonly force: boolean;
    readonly verify: boolean;
    readonly index: string;
    readonly help: boolean;
  };
}

/** Parses the arguments of a call, with defaults from the environment. Throws a `Problem` for unknown flags. */
export function parseCall(argv: readonly string[], env: NodeJS.ProcessEnv): ParsedCall {
  try {
    return parseArgs({
      // Converts Go's syntax of boolean flags.
      args: argv.map((text) => text.replace(/^--?([\w-]+)=true$/, "--$1").replace(/^--?([\w-]+)=false$/, "--no-$1")),
      allowPositionals: true,
      allowNegative: true,
      options: {
        print: { type: "string", short: "p", default: "path" },
        "installed-only": { type: "boolean", short: "i", default: Boolean(env.ENVTEST_INSTALLED_ONLY) },
        "controller-manager": { type: "boolean", default: false },
        "use-env": { type: "boolean", default: Boolean(env.ENVTEST_USE_ENV) },
        "bin-dir": { type: "string" },
        os: { type: "string", default: goOs() },
        arch: { type: "string", default: goArch() },
        force: { type: "boolean", default: false },
        verify: { type: "boolean", default: true },
        index: { type: "string", default: env.KUBEWRIGHT_ENVTEST_INDEX || DEFAULT_INDEX },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new Problem(`${reason(error).split(". ")[0]} (--help shows the options)`, 2);
  }
}

// Messages of system errors, such as a full disk or an unwritable directory, need no explanation.
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** Removes the matching installed releases. Returns one line per release. */
async function cleanup(options: Wanted & Pick<UseOptions, "store" | "progress" | "signal">): Promise<string[]> {
  const { store, progress, signal } = options;
  const matching = () => storedReleases(store).filter((release) => isWanted(options, release));
  if (matching().length === 0) return [];
  const waiting = () => progress.note("waiting for another setup-envtest to finish ...");
  return withLock(join(store, ".lock"), waiting, signal, async () =>
    matching().map((release) => {
      removeRelease(release.directory);
      return releaseLine("removed", release);
    }),
  );
}

/** Adds a local release archive to the store. Throws a `Problem` if the archive is invalid. */
async function sideload(
  options: Pick<UseOptions, "store" | "os" | "arch" | "progress" | "signal">,
  version: string,
  archive: Readable,
): Promise<StoredRelease> {
  const { store, os, arch, progress, signal } = options;
  mkdirSync(store, { recursive: true });
  const waiting = () => progress.note("waiting for another setup-envtest to finish ...");
  return withLock(join(store, ".lock"), waiting, signal, () =>
    placeRelease(store, { version, os, arch }, (directory) =>
      unpackStream(archive, "the archive on the standard input", os, directory),
    ),
  );
}
