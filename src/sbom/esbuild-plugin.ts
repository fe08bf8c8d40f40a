import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ownManifest } from "../cli/framework/version.ts";
import type { BundledModule, PackageManifest } from "./bundled-packages.ts";

/** The part of esbuild's metafile that the plugin reads. */
interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly { path: string; external?: boolean }[] }>>;
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, { bytesInOutput: number }>> }>>;
}

interface BuildResult {
  readonly errors: readonly unknown[];
  readonly metafile?: Metafile;
}

interface PluginBuild {
  readonly initialOptions: { absWorkingDir?: string; outfile?: string; outdir?: string; metafile?: boolean };
  onEnd(callback: (result: BuildResult) => Promise<{ warnings: { text: string }[] } | undefined>): void;
}

/** A plugin of esbuild, in the part of its type that this package needs. */
export interface EsbuildPlugin {
  readonly name: string;
  setup(build: PluginBuild): void;
}

/**
 * Writes two files next to the bundle: `sbom.cdx.json`, a CycloneDX bill of materials of exactly the packages whose code the
 * bundle contains, and `THIRD-PARTY-LICENSES.txt` with their license texts. Warns of each package without a license text.
 *
 * @example
 * await build({ entryPoints: ["src/main.ts"], bundle: true, outfile: "dist/main.js", plugins: [billOfMaterials()] });
 */
export function billOfMaterials(): EsbuildPlugin {
  return {
    name: "bill-of-materials",
    setup({ initialOptions, onEnd }) {
      initialOptions.metafile = true;
      onEnd(async ({ errors, metafile }) => {
        if (errors.length > 0 || metafile === undefined) return undefined;
        const { describeBundle } = await import("./documents.ts");
        const { absWorkingDir = process.cwd(), outfile, outdir = "." } = initialOptions;
        const tool: PackageManifest = { ...ownManifest() };
        const { files, warnings } = describeBundle(
          realpathSync(absWorkingDir),
          modulesOf(metafile, absWorkingDir),
          tool,
        );
        const directory = resolve(absWorkingDir, outfile === undefined ? outdir : dirname(outfile));
        mkdirSync(directory, { recursive: true });
        for (const [name, content] of files) writeFileSync(join(directory, name), content);
        return { warnings: warnings.map((text) => ({ text })) };
      });
    },
  };
}

function modulesOf({ inputs, outputs }: Metafile, directory: string): BundledModule[] {
  const used = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const included = new Set(used.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path));
  // Modules of other plugins may have names that aren't paths, such as `env:settings`.
  const exists = (path: string): boolean => existsSync(resolve(directory, path));
  const absolute = (path: string): string => realpathSync(resolve(directory, path));
  return Object.entries(inputs)
    .filter(([path]) => exists(path))
    .map(([path, { imports }]) => ({
      file: absolute(path),
      included: included.has(path),
      imports: imports.filter((each) => each.external !== true && exists(each.path)).map((each) => absolute(each.path)),
    }));
}
