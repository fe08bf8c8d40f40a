import { parseOptions } from "../options/index.ts";
import type { GenerateRequest } from "../run/request.ts";

/**
 * Returns the request of a run without flags.
 *
 * @param options generators, paths and output rules, as on the command line
 * @param more changes of the request
 * @throws Error if the options are invalid
 */
export function requestOf(
  cwd: string,
  options: readonly string[],
  more: Partial<GenerateRequest> = {},
): GenerateRequest {
  const { config, problems } = parseOptions(options);
  if (!config) throw new Error(`${options.join(" ")}: ${problems.map(({ message }) => message).join("; ")}`);
  return { cwd, config, unknownMarkers: "error", strict: false, prune: false, toolVersion: "v0", ...more };
}
