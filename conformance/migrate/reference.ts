import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { run } from "../../scripts/lib/run.mjs";
import { filesBelow } from "../../src/scaffold/files/files-below.ts";
import type { Generation, Generations } from "../../src/scaffold/migrate/makefile.ts";
import { left } from "./projects.ts";

export const generators = ["crd", "rbac", "webhook"] as const;
export type Generator = (typeof generators)[number];

/** The manifests that controller-gen generates from the Go source. */
export interface Reference {
  /** The directory with the output of a generator. */
  readonly directoryOf: (generator: Generator) => string;
  /** The generators that the project calls. */
  readonly called: readonly Generator[];
  /** The output of calls that failed, by generator. */
  readonly failures: ReadonlyMap<Generator, string>;
}

/** A call of controller-gen in the directory of a Go module. */
export interface ModuleCall {
  readonly directory: string;
  readonly paths: readonly string[];
}

/**
 * Splits the paths of a generation by the Go modules in which they begin.
 *
 * @param modules the directories of nested modules
 */
export function callsOf({ paths }: Pick<Generation, "paths">, modules: readonly string[]): ModuleCall[] {
  const calls = new Map<string, string[]>();
  // controller-gen can't leave out packages.
  for (const path of paths.filter((path) => !path.startsWith("!"))) {
    const module = modules
      .filter((module) => path === module || path.startsWith(`${module}/`))
      .sort((a, b) => b.length - a.length)[0];
    const directory = module ?? ".";
    const inside = posix.relative(directory, path) || ".";
    calls.set(directory, [...(calls.get(directory) ?? []), inside === "." ? "." : `./${inside}`]);
  }
  return [...calls].map(([directory, inside]) => ({ directory, paths: inside }));
}

/**
 * Runs controller-gen on the Go source with the project's own options.
 *
 * @param tool the path of controller-gen
 * @param project the directory of the Go project
 * @param output the directory for the results
 */
export async function runReference(
  tool: string,
  project: string,
  generations: Generations,
  output: string,
): Promise<Reference> {
  const modules = filesBelow(project, "", (name) => !name.startsWith(".") && name !== "vendor")
    .filter((path) => path.endsWith("/go.mod"))
    .map((path) => dirname(path));
  const failures = new Map<Generator, string>();
  const directoryOf = (generator: Generator) => join(output, generator);
  const called = generators.filter((generator) => generations[generator] !== undefined);
  const calls = combined(called, generations, modules);
  // Loading the packages takes long, so the results of the same calls are kept.
  const record = join(output, "calls.json");
  const key = JSON.stringify([tool, calls]);
  const recorded = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : undefined;
  if (recorded?.key === key) return { directoryOf, called, failures: new Map(recorded.failures) };
  rmSync(output, { recursive: true, force: true });
  for (const { directory, paths, of, options } of calls) {
    for (const generator of of) mkdirSync(directoryOf(generator), { recursive: true });
    const args = [
      ...options,
      ...paths.map((path) => `paths=${path}`),
      ...of.map((generator) => `output:${generator}:dir=${directoryOf(generator)}`),
    ];
    const env = { CGO_ENABLED: "0", GOFLAGS: "-mod=mod", GOWORK: "off" };
    const cwd = join(project, directory);
    const end = await run(tool, args, { cwd, env });
    if (end.code === 0) continue;
    const text = `${args.join(" ")}\n${end.output.slice(0, 4000)}`;
    // Other packages may import modules that can't be downloaded. CRDs need only those with kinds.
    const packages = of.includes("crd") ? packagesWithKinds(cwd, paths) : [];
    if (packages.length > 0) {
      const crds = [
        options[of.indexOf("crd")] ?? "crd",
        ...packages.map((path) => `paths=${path}`),
        `output:crd:dir=${directoryOf("crd")}`,
      ];
      if ((await run(tool, crds, { cwd, env })).code === 0) continue;
    }
    // Roles and webhooks need no types, so that missing modules don't matter.
    for (const generator of of) {
      if (generator === "crd" || !existsSync(directoryOf(generator))) failures.set(generator, text);
    }
  }
  mkdirSync(output, { recursive: true });
  writeFileSync(record, JSON.stringify({ key, failures: [...failures] }));
  return { directoryOf, called, failures };
}

/**
 * Returns the packages with kinds that the paths of a call contain.
 *
 * @param module the directory of its Go module
 * @param paths such as `./...` and `./api/v1`
 */
export function packagesWithKinds(module: string, paths: readonly string[]): string[] {
  const contains = (path: string, directory: string) =>
    path.endsWith("...") ? `${directory}/`.startsWith(path.slice(0, -3)) : directory === path;
  const isSource = (name: string) => !name.startsWith(".") && !left.has(name);
  const directories = filesBelow(module, "", isSource)
    .filter((path) => path.endsWith(".go") && !path.endsWith("_test.go"))
    .filter((path) => /^\s*\/\/ ?\+kubebuilder:object:root\b/m.test(readFileSync(join(module, path), "utf8")))
    .map((path) => `./${dirname(path)}`);
  return [...new Set(directories)].filter((directory) => paths.some((path) => contains(path, directory))).sort();
}

interface CombinedCall extends ModuleCall {
  readonly of: readonly Generator[];
  readonly options: readonly string[];
}

/** Combines the generators with the same paths into one call, because loading the packages takes the longest. */
function combined(
  called: readonly Generator[],
  generations: Generations,
  modules: readonly string[],
): readonly CombinedCall[] {
  const calls = new Map<string, CombinedCall>();
  for (const generator of called) {
    const generation = generations[generator];
    if (generation === undefined) continue;
    for (const call of callsOf(generation, modules)) {
      const key = JSON.stringify(call);
      const { of = [], options = [] } = calls.get(key) ?? {};
      calls.set(key, { ...call, of: [...of, generator], options: [...options, generation.options] });
    }
  }
  return [...calls.values()];
}
