import { type Cache, cachedMake } from "./cache/index.ts";
import { finish, type GenerateOutcome } from "./finish.ts";
import type { GenerateRequest } from "./request.ts";
import { disk, type Files } from "./source/files.ts";

export type { GenerateOutcome } from "./finish.ts";

/** Runs the requested generators over the packages and plans what to write. */
export async function generate(request: GenerateRequest, cache?: Cache, files: Files = disk): Promise<GenerateOutcome> {
  if (cache) return finish(await cachedMake(request, cache, files), request);
  const { make } = await import("./make.ts");
  return finish(await make(request, { files }), request);
}
