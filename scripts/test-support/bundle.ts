import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/**
 * Bundles a module of this repository, so that processes of a test can import it without a loader of TypeScript. They start in
 * a tenth of the time. The module must not read files that are beside its source.
 *
 * @param source - the URL of the source
 * @param directory - the directory of the bundle, which the caller removes
 * @returns the path of the bundle
 */
export function bundle(source: URL, directory: string): string {
  const entryPoint = fileURLToPath(source);
  const outfile = join(directory, `${basename(entryPoint, ".ts")}.mjs`);
  buildSync({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    // For packages that aren't ES modules.
    banner: {
      js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);',
    },
    logLevel: "error",
  });
  return outfile;
}
