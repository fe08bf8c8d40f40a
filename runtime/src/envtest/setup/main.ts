import { parseArgs } from "node:util";
import { defaultStoreDirectory, goArch, goOs } from "../store.ts";
import { list } from "./list.ts";
import { Problem, reason } from "./problem.ts";
import { createProgress } from "./progress.ts";
import { DEFAULT_INDEX } from "./release-index.ts";
import { holdsServers, use } from "./use.ts";
import { PINNED_VERSION, parseSelector } from "./versions.ts";

const USAGE = `Usage: setup-envtest use|list [VERSION] [options]

Commands
  use                  find etcd and kube-apiserver, or get them, and print their directory
  list                 list what is installed and what can be had

VERSION: 1.36.3, 1.36, 1.36.x, ~1.36.1, <1.36, <=1.36, latest, latest-on-disk; a "!" at the end asks the index in any case.
Without one: the minor release that this package's types are from (${PINNED_VERSION}).

Options
  -p, --print WHAT     path (default), env (a line for the shell) or overview
  -i, --installed-only look at installed releases only (ENVTEST_INSTALLED_ONLY)
      --controller-manager  the release must have a kube-controller-manager too
      --use-env        take KUBEBUILDER_ASSETS where it is set (ENVTEST_USE_ENV)
      --bin-dir DIR    where releases are kept (default: the store that Go's setup-envtest uses)
      --os, --arch     for another system or processor; list takes "*"
      --force          get it again even where it is installed
      --no-verify      don't compare checksums
      --index URL      index of release archives
  -h, --help           show this

Where nothing is installed: the release archives of controller-tools first, then a build from Go modules where Go is on PATH.
`;

/** The command line of setup-envtest. Gives the exit code: 0 done, 1 the work failed, 2 wrong usage, 130 interrupted. */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    process.stdout.write(await run(argv, env, interrupt.signal));
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

async function run(argv: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const { values, positionals } = parse(argv, env);
  const [command, version, ...more] = positionals;
  if (values.help) return USAGE;
  if (command !== "use" && command !== "list") {
    throw new Problem(
      `${command ? `unknown command ${command}` : "no command"}: say use or list (--help shows more)`,
      2,
    );
  }
  if (more.length > 0) throw new Problem(`one version at most, not ${positionals.slice(1).join(" ")}`, 2);
  const selector = parseSelector(version);
  if (!selector) throw new Problem(`${version} is no version: say 1.36.3, 1.36, 1.36.x, ~1.36.1, <1.36 or latest`, 2);
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
    verify: !values["no-verify"],
    index: values.index,
    downloads: env.KUBEWRIGHT_KUBERNETES_DOWNLOADS || "https://dl.k8s.io",
    controllerManager: values["controller-manager"],
    progress: createProgress(),
    signal,
  };
  if (command === "list") return (await list(options)).map((line) => `${line}\n`).join("");
  if (options.os === "*" || options.arch === "*") throw new Problem("use needs one system and processor, not *", 2);
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

function parse(argv: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        print: { type: "string", short: "p", default: "path" },
        "installed-only": { type: "boolean", short: "i", default: Boolean(env.ENVTEST_INSTALLED_ONLY) },
        "controller-manager": { type: "boolean", default: false },
        "use-env": { type: "boolean", default: Boolean(env.ENVTEST_USE_ENV) },
        "bin-dir": { type: "string" },
        os: { type: "string", default: goOs() },
        arch: { type: "string", default: goArch() },
        force: { type: "boolean", default: false },
        "no-verify": { type: "boolean", default: false },
        index: { type: "string", default: env.KUBEWRIGHT_ENVTEST_INDEX || DEFAULT_INDEX },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new Problem(`${reason(error).split(". ")[0]} (--help shows the options)`, 2);
  }
}

// A full disk, a directory that can't be written: the system's own words say enough.
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
