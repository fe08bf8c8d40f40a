import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageProblem } from "./usage-problem.ts";

/** The part of esbuild's API that bundles files. */
export interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles?: readonly { readonly text: string }[] }>;
}

/** An import that a plugin of esbuild resolves. */
export interface ResolvedImport {
  readonly path: string;
  readonly kind: string;
  readonly importer: string;
  readonly namespace: string;
  readonly resolveDir: string;
  readonly pluginData?: unknown;
}

/** A plugin of esbuild. */
export interface EsbuildPlugin {
  readonly name: string;
  setup(build: {
    onResolve(
      options: { filter: RegExp },
      call: (resolvedImport: ResolvedImport) => object | undefined | Promise<object>,
    ): void;
    onLoad(options: { filter: RegExp; namespace: string }, call: (found: { path: string }) => object): void;
    resolve(path: string, options: object): Promise<object>;
  }): void;
}

/** Loads esbuild, a package of the project. */
export async function esbuildOf(root: string): Promise<Esbuild> {
  const { resolve } = createRequire(join(root, "package.json"));
  try {
    return (await import(pathToFileURL(resolve("esbuild")).href)) as Esbuild;
  } catch {
    throw new UsageProblem("esbuild isn't installed in the project", "run npm install --save-dev esbuild");
  }
}
