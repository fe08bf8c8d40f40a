import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import { cloneJson } from "../../json/clone.ts";
import { deepFreeze } from "../../json/freeze.ts";
import { createPatch } from "./create-patch.ts";
import { decodeObject } from "./decode.ts";
import { allowed, patched } from "./response.ts";
import type { AdmissionHandler, Defaulter } from "./types.ts";

/**
 * Creates an admission handler from a defaulter: it returns the changes of the object as patches. Fields that the type
 * doesn't define are kept, because JSON values are compared. Deletions are allowed without a call.
 *
 * @param kind - the kind of the objects
 * @param defaulter - changes the objects
 * @returns the handler
 */
export function defaulterHandler<T extends KubernetesObject>(kind: Kind<T>, defaulter: Defaulter<T>): AdmissionHandler {
  return {
    async handle(ctx, request) {
      if (request.operation === "DELETE") return allowed();
      const before = decodeObject(kind, request, "object");
      const object = cloneJson(before);
      // Frozen because the defaulter also sees it in `ctx.request`, where changes would be lost.
      deepFreeze(before);
      await defaulter.default(ctx, object);
      const patches = createPatch(before, object);
      return patches.length > 0 ? patched("", patches) : allowed();
    },
  };
}
