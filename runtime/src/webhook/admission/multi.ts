import type { JsonPatchOperation } from "../../client/patch.ts";
import { allowed, withWarnings } from "./response.ts";
import type { AdmissionHandler, AdmissionResponse } from "./types.ts";

/**
 * Several mutating handlers as one: asked one after another with the same request until one denies; their patches are joined. Each
 * patch is made for the object as it came, so what they change must not overlap.
 */
export function multiMutatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return {
    async handle(ctx, request) {
      const patches: JsonPatchOperation[] = [];
      const answer = await askAll(handlers, (handler) => handler.handle(ctx, request), patches);
      return answer.allowed ? { ...answer, patches } : answer;
    },
  };
}

/** Several validating handlers as one: asked one after another until one denies. */
export function multiValidatingHandler(...handlers: readonly AdmissionHandler[]): AdmissionHandler {
  return {
    handle: (ctx, request) => askAll(handlers, (handler) => handler.handle(ctx, request), []),
  };
}

type Answer = AdmissionResponse | Promise<AdmissionResponse>;

async function askAll(
  handlers: readonly AdmissionHandler[],
  ask: (handler: AdmissionHandler) => Answer,
  patches: JsonPatchOperation[],
): Promise<AdmissionResponse> {
  const warnings: string[] = [];
  for (const handler of handlers) {
    const response = await ask(handler);
    if (!response.allowed) return response;
    patches.push(...(response.patches ?? []));
    warnings.push(...(response.warnings ?? []));
  }
  return withWarnings(allowed(), ...warnings);
}
