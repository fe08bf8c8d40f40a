import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import type { KubernetesObject } from "../../api/index.ts";
import { readManifests } from "../../manifests/manifests.ts";
import { simulatedProcessName } from "../../session/simulated-process.ts";
import type { Program } from "../programs/program.ts";
import { consoleOf } from "../programs/program-process.ts";
import { cacheOf } from "./cache.ts";
import { type EsbuildPlugin, esbuildOf } from "./esbuild.ts";
import { UsageProblem } from "./usage-problem.ts";

/** The place of a program, and of the files that it runs with. */
export interface ProgramSource {
  /** The name of the version, for errors. */
  readonly name: string;
  /** The directory of a project with `src/main.ts`, or of a bundle with `main.js`. */
  readonly directory: string;
  readonly isBundle: boolean;
  /** The directory of the project. A bundle has the environment variables of its manager. */
  readonly root: string;
  /** The directory in whose `node_modules` packages are searched. */
  readonly packages: string;
}

/** A container of a Deployment. */
interface Container {
  readonly name?: string;
  readonly args?: readonly string[];
  readonly env?: readonly { name: string; value?: string; valueFrom?: { fieldRef?: { fieldPath: string } } }[];
}

type Main = (process: NodeJS.Process, console: Console, simulatedRequire: (name: string) => unknown) => Promise<void>;

const programs = new Map<string, Promise<Program>>();

/**
 * Loads the main program of a version. Its code is compiled once, and runs anew for each start of a process.
 *
 * @param source - its place
 * @throws UsageProblem if it can't be bundled, or its runtime is older than simulations of programs
 */
export function loadProgram(source: ProgramSource): Promise<Program> {
  const key = JSON.stringify(source);
  const loading = programs.get(key) ?? load(source);
  programs.set(key, loading);
  return loading;
}

async function load(source: ProgramSource): Promise<Program> {
  const { name, directory, isBundle, root } = source;
  const file = isBundle ? join(directory, "main.js") : join(directory, "src", "main.ts");
  if (!existsSync(file)) throw new UsageProblem(`${name}: ${file} doesn't exist`, "pass a directory with src/main.ts");
  const code = await bundled(file, source);
  if (!code.includes(simulatedProcessName)) {
    throw new UsageProblem(
      `${name}: the runtime in ${file} is older than simulations of programs`,
      isBundle ? "pass a git revision, or the directory of the project" : "leave --from-install out",
    );
  }
  const { constants } = vm as unknown as { constants: { USE_MAIN_CONTEXT_DEFAULT_LOADER: never } };
  const main = new vm.Script(`(async function (process, console, simulatedRequire) {\n"use strict";\n${code}\n})`, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext() as Main;
  const container = managerContainer(isBundle ? root : directory);
  const args = isBundle ? ["--leader-elect"] : (container?.args ?? []);
  const load = createRequire(pathToFileURL(file));
  return {
    file,
    args,
    env: { ...environmentOf(container), NODE_ENV: "production", KUBECONFIG: kubeconfigIn(root) },
    electsLeader: args.some((arg) => /^--?leader-elect(=true)?$/.test(arg)),
    run: (process) => main(process, consoleOf(process), load),
  };
}

async function bundled(file: string, { name, directory, packages, root, isBundle }: ProgramSource): Promise<string> {
  const program = isBundle ? undefined : projectName(directory);
  try {
    const { outputFiles } = await (await esbuildOf(root)).build({
      stdin: { contents: `import ${JSON.stringify(file)};`, resolveDir: directory },
      ...{ write: false, bundle: true, format: "esm", platform: "node", target: "node20", logLevel: "silent" },
      ...{ ignoreAnnotations: true, minifyWhitespace: true, plugins: [builtins, packagesOf(packages)] },
      define: {
        "import.meta.url": JSON.stringify(pathToFileURL(file).href),
        "import.meta.dirname": JSON.stringify(directory),
        "import.meta.filename": JSON.stringify(file),
        ...(program === undefined ? {} : { "process.env.KUBEWRIGHT_PROGRAM": JSON.stringify(program) }),
      },
    });
    return outputFiles?.[0]?.text ?? "";
  } catch (error) {
    throw new UsageProblem(`${name}: ${file} can't be bundled: ${(error as Error).message.split("\n")[0]}`);
  }
}

const builtinNamespace = "kubewright-builtin";

/** Lets a bundle take the modules of Node.js from its parameters. It then contains no import, and can run again and again. */
const builtins: EsbuildPlugin = {
  name: builtinNamespace,
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path }) =>
      isBuiltin(path) ? { path: path.replace(/^node:/, ""), namespace: builtinNamespace } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: builtinNamespace }, ({ path }) => ({
      contents: `module.exports = ${path === "process" ? "process" : `simulatedRequire(${JSON.stringify(`node:${path}`)})`};`,
      loader: "js",
    }));
  },
};

/** Lets the files of a project find their packages in another directory. */
function packagesOf(directory: string): EsbuildPlugin {
  return {
    name: "kubewright-packages",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer, pluginData }) => {
        if (pluginData === directory || isBuiltin(path) || /[\\/]node_modules[\\/](?!\.cache)/.test(importer))
          return undefined;
        return build.resolve(path, { kind, importer, resolveDir: directory, pluginData: directory });
      });
    },
  };
}

function projectName(directory: string): string | undefined {
  const file = join(directory, "PROJECT");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return /^projectName: "?([\w.-]+)"?\s*$/m.exec(text)?.[1];
}

/** Returns the container of the manager in `config/manager/manager.yaml`. */
function managerContainer(directory: string): Container | undefined {
  const file = join(directory, "config", "manager", "manager.yaml");
  if (!existsSync(file)) return undefined;
  const deployment = readManifests(file).find(({ value }) => (value as KubernetesObject | null)?.kind === "Deployment");
  type Deployment = { spec?: { template?: { spec?: { containers?: readonly Container[] } } } };
  const containers = (deployment?.value as Deployment | undefined)?.spec?.template?.spec?.containers ?? [];
  return containers.find(({ name }) => name === "manager") ?? containers[0];
}

function environmentOf({ env = [] }: Container = {}): Record<string, string | undefined> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => {
      const path = valueFrom?.fieldRef?.fieldPath;
      if (path === "metadata.namespace") return [name, "default"];
      return [name, path === "metadata.name" ? undefined : (value ?? "")];
    }),
  );
}

/** Writes the connection settings of programs, whose server is that of the simulation. */
function kubeconfigIn(root: string): string {
  const name = "simulation";
  const file = join(cacheOf(root), "kubeconfig");
  const kubeconfig = {
    ...{ apiVersion: "v1", kind: "Config", "current-context": name },
    clusters: [{ name, cluster: { server: `http://${name}` } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: "default" } }],
    users: [{ name, user: {} }],
  };
  mkdirSync(cacheOf(root), { recursive: true });
  writeFileSync(file, JSON.stringify(kubeconfig), { mode: 0o600 });
  return file;
}
