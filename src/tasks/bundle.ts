import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../project/problem-error.ts";
import { projectPackage } from "./programs.ts";
import type { Task } from "./task.ts";

/** The part of esbuild's API that the tasks use. esbuild is a package of the project. */
export interface Esbuild {
  build(options: object): Promise<unknown>;
  context(options: object): Promise<{ watch(): Promise<void>; dispose(): Promise<void> }>;
}

/** The part of esbuild's plugin API that the tasks use. */
export interface PluginBuild {
  onEnd(callback: (result: { readonly errors: readonly unknown[] }) => void): void;
}

/** Options of esbuild. */
export interface BundleOptions {
  /** Code before that of the bundle. */
  readonly banner: { readonly js: string };
  readonly [option: string]: unknown;
}

/** Returns esbuild's options for the bundle of the manager. */
export function bundleOptions({ root, project }: Pick<Task, "root" | "project">): BundleOptions {
  return {
    absWorkingDir: root,
    entryPoints: ["src/main.ts"],
    outfile: "dist/main.js",
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    // For logged stack traces. The content of the sources would be two thirds of the source map.
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
    // Less whitespace and no comments: Node starts faster and uses less memory. Names stay, for stack traces.
    minifyWhitespace: true,
    lineLimit: 120,
    // The name of the manager in the API server's records: field manager and audit log.
    define: { "process.env.KUBEWRIGHT_PROGRAM": JSON.stringify(project.projectName) },
    // CommonJS packages need require, __filename and __dirname.
    banner: {
      js: [
        'import { createRequire as bundleCreateRequire } from "node:module";',
        'import { dirname as bundleDirname } from "node:path";',
        'import { fileURLToPath as bundleFileURLToPath } from "node:url";',
        "const require = bundleCreateRequire(import.meta.url);",
        "const __filename = bundleFileURLToPath(import.meta.url);",
        "const __dirname = bundleDirname(__filename);",
      ].join("\n"),
    },
  };
}

/**
 * Returns esbuild's options for a manager that runs on this machine, with the runtime of the project. It isn't bundled, because
 * that takes most of the time of a build, it rarely changes, and commands have hooks in it.
 */
export function localBundleOptions(task: Pick<Task, "root" | "project">): BundleOptions {
  return {
    ...bundleOptions(task),
    external: ["@kubewright/runtime", "@kubewright/runtime/*"],
    minifyWhitespace: false,
    lineLimit: undefined,
    logLevel: "silent",
  };
}

/** Creates `dist/` for the bundle. */
export function prepareDist(root: string): void {
  mkdirSync(join(root, "dist"), { recursive: true });
  // Node needs it in the image to load main.js as a module.
  writeFileSync(join(root, "dist", "package.json"), '{ "type": "module" }\n');
}

/** Bundles the manager, with a bill of materials of the bundled packages and their licenses. */
export async function bundle(task: Task): Promise<void> {
  const { root, calls } = task;
  if (calls !== undefined) {
    calls.push("esbuild src/main.ts --bundle --outfile=dist/main.js");
    return;
  }
  const esbuild = projectPackage<Esbuild>(root, "esbuild");
  const { billOfMaterials } = projectPackage<{ billOfMaterials(): object }>(root, "kubewright/sbom");
  prepareDist(root);
  try {
    await esbuild.build({ ...bundleOptions(task), plugins: [billOfMaterials()] });
  } catch (error) {
    const { errors } = error as { errors?: readonly unknown[] };
    if (!Array.isArray(errors)) throw error;
    throw new ProblemError("bundle-failed", `can't bundle src/main.ts: esbuild reports ${errors.length} errors`);
  }
}
