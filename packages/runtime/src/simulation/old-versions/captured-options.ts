import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Manager } from "../../manager/manager.ts";
import type { SimulateOptions } from "../options/options.ts";
import { cacheOf } from "./cache.ts";
import { type EsbuildPlugin, esbuildOf } from "./esbuild.ts";
import { UsageProblem } from "./usage-problem.ts";

/** The options of a simulation of an old version, and the manager of the runtime that it uses. */
export interface CapturedOptions {
  readonly options: SimulateOptions;
  readonly manager: typeof Manager;
}

type Test = () => unknown;

/** Receives the tests and the simulations of a bundle. */
interface Registry {
  readonly tests: Map<string, Test>;
  readonly hooks: Test[];
  simulate: (options: SimulateOptions) => Promise<unknown>;
}

const registryKey = "kubewright.simulation.registry";
const namespace = "kubewright-capture";

/** Takes the place of Vitest: it registers tests, and expectations do nothing. */
const vitestModule = `
const registry = globalThis[Symbol.for(${JSON.stringify(registryKey)})];
const nothing = new Proxy(function () {}, {
  get: (_target, key) => (key === "then" || typeof key === "symbol" ? undefined : nothing),
  apply: () => nothing,
  construct: () => nothing,
});
const callable = (call) => {
  const proxy = new Proxy(call, { get: (target, key) => (key === "each" || key === "for" ? () => () => {} : proxy) });
  return proxy;
};
const testOf = (...values) => values.find((value) => typeof value === "function");
export const it = callable((name, ...rest) => void registry.tests.set(String(name), testOf(...rest)));
export const test = it;
export const describe = callable((_name, ...rest) => void testOf(...rest)?.());
export const suite = describe;
export const beforeAll = (call) => void registry.hooks.push(call);
export const beforeEach = beforeAll;
export const afterAll = () => {};
export const afterEach = () => {};
export const onTestFinished = () => {};
export const onTestFailed = () => {};
export const expect = nothing;
export const assert = nothing;
export const vi = nothing;
export const vitest = nothing;
`;
const simulationModule = `
export * from "@kubewright/runtime/simulation";
export const simulate = (options) => globalThis[Symbol.for(${JSON.stringify(registryKey)})].simulate(options);
`;

const capture: EsbuildPlugin = {
  name: "kubewright-capture",
  setup(build) {
    const modules: Readonly<Record<string, string>> = {
      vitest: vitestModule,
      "@kubewright/runtime/simulation": simulationModule,
    };
    for (const [name, contents] of Object.entries(modules)) {
      const filter = new RegExp(`^${name.replace("/", "\\/")}$`);
      const space = `${namespace}-${name}`;
      build.onResolve({ filter }, ({ path, namespace: importer }) => {
        return importer.startsWith(namespace) ? { path, external: true } : { path, namespace: space };
      });
      build.onLoad({ filter: /.*/, namespace: space }, () => ({ contents, loader: "js" }));
    }
  },
};

const bundles = new Map<string, Promise<{ registry: Registry; manager: typeof Manager }>>();

/**
 * Returns the options of the same simulation in an old version: same file, same name of the test, same position in the test.
 *
 * @param directories - those of the old version, and of its packages
 * @param file - the file of the present simulation
 * @param test - the name of its test
 * @param position - the number of the simulation in the test, from 0
 * @param root - the directory of the project
 * @returns undefined if it doesn't exist
 * @throws UsageProblem if the file can't be loaded
 */
export async function captureOptions(
  { directory, packages }: { readonly directory: string; readonly packages?: string },
  { file, test, position }: { readonly file: string; readonly test: string; readonly position: number },
  root: string,
): Promise<CapturedOptions | undefined> {
  const path = join(directory, relative(root, file));
  if (file === "" || !existsSync(path)) return undefined;
  const loading = bundles.get(path) ?? load(path, root, packages);
  bundles.set(path, loading);
  const { registry, manager } = await loading;
  const captured: SimulateOptions[] = [];
  registry.simulate = async (options) => {
    captured.push(options);
    return { schedules: 0, seconds: 0, faults: {}, findings: [] };
  };
  for (const hook of registry.hooks.splice(0)) await hook();
  // Only the options matter, not whether the test passes.
  await Promise.resolve(registry.tests.get(test)?.()).catch(() => {});
  const options = captured[position];
  return options && { options, manager };
}

async function load(
  path: string,
  root: string,
  packages = cacheOf(root),
): Promise<{ registry: Registry; manager: typeof Manager }> {
  const outfile = join(packages, `${randomUUID()}.mjs`);
  mkdirSync(dirname(outfile), { recursive: true });
  const registry: Registry = { tests: new Map(), hooks: [], simulate: async () => ({}) };
  try {
    await esbuildOf(root).then(({ build }) =>
      build({
        stdin: {
          contents: `import ${JSON.stringify(path)};\nexport { Manager } from "@kubewright/runtime";`,
          resolveDir: dirname(path),
        },
        ...{ outfile, bundle: true, format: "esm", platform: "node", target: "node20", packages: "external" },
        ...{ plugins: [capture], logLevel: "silent", sourcemap: "inline" },
      }),
    );
    (globalThis as Record<symbol, unknown>)[Symbol.for(registryKey)] = registry;
    const { Manager: manager } = (await import(pathToFileURL(outfile).href)) as { Manager: typeof Manager };
    return { registry, manager };
  } catch (error) {
    throw new UsageProblem(`the old version can't be loaded: ${path}: ${(error as Error).message}`);
  } finally {
    rmSync(outfile, { force: true });
  }
}
