import { fileURLToPath } from "node:url";

/** Arguments of Node.js for a program of this repository that runs from its sources. */
export const loadSources: readonly string[] = ["--import", import.meta.resolve("tsx")];

/**
 * Returns the environment of such a program. Its imports of our packages lead to their sources, also in the directory of a
 * project.
 *
 * @param env - further variables
 * @returns the variables of this process and these
 */
export function sourcesEnv(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const tsconfig = fileURLToPath(new URL("../../tsconfig.json", import.meta.url));
  return { ...process.env, TSX_TSCONFIG_PATH: tsconfig, ...env };
}
