import { finish, type GenerateOutcome } from "./finish.ts";
import { make } from "./make.ts";
import type { GenerateRequest } from "./request.ts";
import { disk } from "./source/files.ts";

export type { GenerateOutcome } from "./finish.ts";

/** Runs the generators that the request names over its packages and plans what to write. */
export async function generate(request: GenerateRequest): Promise<GenerateOutcome> {
  return finish(await make(request, { files: disk }), request);
}
