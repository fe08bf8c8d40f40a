import type { JsonPatchOperation } from "../../client/patch.ts";
import { allowed, withWarnings } from "./response.ts";
import type { AdmissionHandler, AdmissionResponse } from "./types.ts";

/**
 * Combines mutating handlers: they are called one after another with the same request until one denies it, and their
 * patches are joined. Patches refer to the original object, so changes of different handlers must not overlap.
 *
 * @param handlers - the handlers
 * @returns the combined handler
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

/**
 * Combines validating handlers: they are called one after another until one denies the request.
 *
 * @param handlers - the handlers
 * @returns the combined handler
 */
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
