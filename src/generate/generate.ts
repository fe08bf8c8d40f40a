import { type Cache, cachedOutput } from "./cache/index.ts";
import { type GenerateOutcome, planOutput } from "./plan-output.ts";
import type { GenerateRequest } from "./request.ts";
import { disk, type Files } from "./source/files.ts";

export type { GenerateOutcome } from "./plan-output.ts";

/** Runs the requested generators over the packages and plans what to write. */
export async function generate(request: GenerateRequest, cache?: Cache, files: Files = disk): Promise<GenerateOutcome> {
  if (cache) return planOutput(await cachedOutput(request, cache, files), request);
  const { runGenerators } = await import("./run-generators.ts");
  return planOutput(await runGenerators(request, { files }), request);
}
