import { createRequire } from "node:module";
import { join } from "node:path";
import type { EsbuildPlugin } from "../sbom/esbuild-plugin.ts";
import type { TaskContext } from "./task.ts";
import { TaskError } from "./task-error.ts";

/** A plugin of esbuild, in the part of its type that this package needs. */
export interface BuildPlugin {
  readonly name: string;
  setup(build: { onEnd(callback: (result: { errors: readonly unknown[] }) => void): void }): void;
}

/** The part of esbuild that this package needs. */
interface Esbuild {
  build(options: object): Promise<unknown>;
  context(options: object): Promise<{ watch(): Promise<void>; dispose(): Promise<void> }>;
}

/**
 * Loads the esbuild of the project, or of a workspace that contains it.
 *
 * @throws TaskError if it isn't installed
 */
export function loadEsbuild(root: string): Esbuild {
  try {
    return createRequire(join(root, "package.json"))("esbuild");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new TaskError("program-missing", "can't bundle the manager: esbuild isn't installed in this project", {
      hint: installPackages,
    });
  }
}

/** The hint if one of the project's own tools is missing. */
export const installPackages = "install the packages of the project: npm install";

/** The esbuild command that corresponds to {@link bundleOptions}, for `--dry-run`. */
export const bundleLine = "esbuild src/main.ts --bundle --platform=node --format=esm --outfile=dist/main.js";

/** Returns the options of esbuild for the manager of a project. */
export function bundleOptions({ root, project }: TaskContext) {
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
    plugins: [] as (EsbuildPlugin | BuildPlugin)[],
  };
}

/** Creates `dist/` with the package.json that Node needs to load main.js as a module. */
export function prepareDist({ runner }: TaskContext): void {
  runner.write("dist/package.json", '{ "type": "module" }\n');
}

/**
 * Bundles the manager into dist/main.js, with a bill of materials of the bundled packages and their licenses.
 *
 * @throws TaskError if esbuild is missing or reports errors
 */
export async function bundle(context: TaskContext): Promise<void> {
  prepareDist(context);
  await context.runner.step(bundleLine, async () => {
    const esbuild = loadEsbuild(context.root);
    const { billOfMaterials } = await import("../sbom/esbuild-plugin.ts");
    try {
      await esbuild.build({ ...bundleOptions(context), plugins: [billOfMaterials()] });
    } catch (error) {
      const { errors } = error as { errors?: readonly unknown[] };
      if (!Array.isArray(errors)) throw error;
      // esbuild has printed them.
      throw new TaskError("program-failed", `can't bundle src/main.ts: esbuild reported ${errors.length} errors`);
    }
  });
}
