import type { KubernetesObject } from "../api/index.ts";
import type { WriteOptions } from "../client/client.ts";
import { ApiError } from "../errors/api-error.ts";
import { cloneJson } from "../json/clone.ts";
import type { JsonObject } from "../json/object.ts";
import type { KindId } from "./kinds.ts";
import { objectErrors, readAs, statusErrors } from "./schema/custom-resource.ts";
import type { Schema } from "./schema/schema.ts";
import { pruneUnknown } from "./schema/structural.ts";

/** Fills in defaults and removes unknown fields in place, like a server that has the schema. */
export function complete<T extends KubernetesObject>(schema: Schema | undefined, object: T): T {
  if (schema) readAs(schema, object);
  return object;
}

/** Same as {@link complete}, for request bodies: rejects unknown fields if the request sets strict field validation. */
export function readStrictly(
  id: KindId,
  schema: Schema | undefined,
  object: KubernetesObject,
  options: WriteOptions,
): KubernetesObject {
  if (!schema) return object;
  const unknown = readAs(schema, object);
  if (unknown.length === 0 || options.fieldValidation !== "Strict") return object;
  const fields = unknown.map((path) => `unknown field ${JSON.stringify(path)}`).join(", ");
  throw ApiError.badRequest(
    `${id.kind} in version "${id.version}" cannot be handled as a ${id.kind}: strict decoding error: ${fields}`,
  );
}

/**
 * Validates an object against its schema.
 *
 * @throws an `ApiError` (422) with one cause per violation
 */
export function validateOrThrow(
  id: KindId,
  schema: Schema | undefined,
  part: "object" | "status",
  object: KubernetesObject,
  before?: KubernetesObject,
): void {
  if (!schema) return;
  const old = before && { ...before, apiVersion: id.apiVersion };
  const errors =
    part === "status" && old ? statusErrors(schema, object, old) : objectErrors(schema, cloneJson(object), old);
  if (errors.length > 0) throw ApiError.invalid(id, object.metadata?.name ?? "", errors);
}

/**
 * Rejects an apply that contains unknown fields: servers can't track their owners.
 *
 * @throws an `ApiError` (500) that lists the fields
 */
export function refuseUnknown(id: KindId, schema: Schema | undefined, object: KubernetesObject): void {
  if (!schema) return;
  const unknown = pruneUnknown(cloneJson(object) as unknown as JsonObject, schema);
  if (unknown.length === 0) return;
  const { namespace, name } = object.metadata ?? {};
  const key = namespace ? `${namespace}/${name}` : `/${name}`;
  const reasons = unknown.map((path) => `.${path}: field not declared in schema`);
  const text = reasons.length === 1 ? reasons[0] : `errors:\n${reasons.map((reason) => `  ${reason}`).join("\n")}`;
  const message = `failed to create typed patch object (${key}; ${id.apiVersion}, Kind=${id.kind}): ${text}`;
  throw ApiError.create(500, "InternalError", message);
}
