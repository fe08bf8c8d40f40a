import type { KubernetesObject } from "../../api/index.ts";
import { cloneJson } from "../../json/clone.ts";
import { deepFreeze } from "../../json/freeze.ts";
import type { Kind } from "../../kind.ts";
import { createPatch } from "./create-patch.ts";
import { decodeObject } from "./decode.ts";
import { allowed, patched } from "./response.ts";
import type { AdmissionHandler, CustomDefaulter } from "./types.ts";

/**
 * A handler that lets a defaulter change the object of a request and answers with the difference. Fields that no type knows stay as
 * they are, because the difference is that between two JSON values. Deletions pass: there is nothing to fill in.
 */
export function defaulterHandler<T extends KubernetesObject>(
  kind: Kind<T>,
  defaulter: CustomDefaulter<T>,
): AdmissionHandler {
  return {
    async handle(ctx, request) {
      if (request.operation === "DELETE") return allowed();
      const before = decodeObject(kind, request, "object");
      const object = cloneJson(before);
      // The defaulter sees it in `ctx.request` too; a change there would be lost.
      deepFreeze(before);
      await defaulter.default(ctx, object);
      const patches = createPatch(before, object);
      return patches.length > 0 ? patched("", patches) : allowed();
    },
  };
}
