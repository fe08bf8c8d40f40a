import { applyPatch, updateManagedFields } from "../apply/field-manager.ts";
import type { FieldManager } from "./field-manager.ts";
import { managedKindOf } from "./managed-kind.ts";
import { timestamp } from "./metadata.ts";
import type { ApiObject } from "./resource.ts";
import type { Scope } from "./scope.ts";

/**
 * Creates the field manager for a request.
 *
 * @param scope - the request
 * @returns the field manager
 */
export function fieldManagerOf(scope: Scope): FieldManager {
  const kind = managedKindOf(scope);
  const now = timestamp(scope.engine.now());
  return {
    update(live, updated, manager) {
      return updateManagedFields(kind, { live: live ?? kind.empty(), updated, manager, now }) as ApiObject;
    },
    apply(live, applied, manager, force) {
      const request = { live: live ?? kind.empty(), patch: applied, manager, force, now };
      const { object, changed } = applyPatch(kind, request);
      return changed ? (scope.expected().codec.decode(object).object as ApiObject) : (object as ApiObject);
    },
  };
}
