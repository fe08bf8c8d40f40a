import type { JsonObject } from "@kubewright/cel/json";
import { withAsyncConversion } from "../apply/conversion.ts";
import { applyPatch, type ManagedKind, updateManagedFields } from "../apply/field-manager.ts";
import { describeObject, groupVersionKindText } from "../apply/metadata.ts";
import type { FieldManager } from "../model/field-manager.ts";
import { timestamp } from "../model/metadata.ts";
import { type ApiObject, DecodeError, type ObjectCodec } from "../model/resource.ts";
import { StatusError } from "../model/status.ts";
import { managedKindOf } from "./managed-kind.ts";
import type { Scope } from "./scope.ts";

/**
 * Creates the field manager of a server that doesn't record owners.
 *
 * @param scope - the request
 * @returns the field manager
 */
export function withoutOwners(scope: Scope): FieldManager {
  return {
    async update(_live, updated) {
      delete updated.metadata.managedFields;
      return updated;
    },
    apply: async (...request) =>
      withoutOwners(scope).update(undefined, await fieldManagerOf(scope, false).apply(...request), ""),
  };
}

/**
 * Creates the field manager for a request.
 *
 * @param scope - the request
 * @param tracksOwners - false for a server that doesn't record owners
 * @returns the field manager
 */
export function fieldManagerOf(scope: Scope, tracksOwners = true): FieldManager {
  const kind = managedKindOf(scope, tracksOwners);
  const now = timestamp(scope.engine.now());
  /** Conversions by webhooks are asynchronous. */
  const convert = async (object: JsonObject, apiVersion: string): Promise<JsonObject> =>
    scope.type.convert(object as ApiObject, apiVersion.split("/").at(-1) as string);
  const run = <Result>(operation: (converting: ManagedKind) => Result): Promise<Result> =>
    withAsyncConversion(convert, (converting) =>
      operation({
        ...kind,
        convert: (object, apiVersion) => (hasVersion(scope, apiVersion) ? converting(object, apiVersion) : undefined),
      }),
    );
  return {
    async update(live, updated, manager) {
      const write = { live: live ?? kind.empty(), updated, manager, now };
      return (await run((converting) => updateManagedFields(converting, write))) as ApiObject;
    },
    async apply(live, applied, manager, force) {
      const request = { live: live ?? kind.empty(), patch: applied, manager, force, now };
      const { object, changed } = await run((converting) => applyPatch(converting, request));
      if (!changed) return object as ApiObject;
      const { codec } = scope.expected();
      return codec.complete?.(object as ApiObject) ?? decodeApplied(codec, object, applied);
    },
  };
}

/**
 * Reports whether a version exists to which owners refer.
 *
 * @throws Error if it is one that a definition doesn't have anymore. Owners in former versions of built-in kinds are forgotten.
 */
function hasVersion({ type }: Scope, apiVersion: string): boolean {
  const version = apiVersion.split("/").at(-1) as string;
  if (type.versions.has(version) || type.unserved?.has(version)) return true;
  if (type.custom) throw new Error(`request to convert CR to an invalid group/version: ${apiVersion}`);
  return false;
}

/** Reads the result of an apply to a built-in kind. An error names the applied configuration, not the result. */
function decodeApplied(codec: ObjectCodec, object: JsonObject, applied: JsonObject): ApiObject {
  try {
    return codec.decode(object, true).object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const what = `failed to convert new object (${describeObject(applied)}) to proper version`;
    const kind = groupVersionKindText(object);
    throw new StatusError(500, "", `${what}: unable to convert unstructured object to ${kind}: ${error.message}`);
  }
}
