import type { KubernetesObject } from "../api/index.ts";
import type { WriteOptions } from "../client/client.ts";
import { ApiError } from "../errors/api-error.ts";
import { cloneJson } from "../json/clone.ts";
import type { JsonObject } from "../json/object.ts";
import type { KindId } from "./kinds.ts";
import { objectErrors, readAs, statusErrors } from "./schema/custom-resource.ts";
import type { Schema } from "./schema/schema.ts";
import { pruneUnknown } from "./schema/structural.ts";

/** An object as a server with its schema keeps it: with defaults, without what nobody knows. Changes it in place. */
export function complete<T extends KubernetesObject>(schema: Schema | undefined, object: T): T {
  if (schema) readAs(schema, object);
  return object;
}

/** As {@link complete}, for what a request carries: unknown fields are an error where the request wants that. */
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

/** Throws the `ApiError` (422) of an object that breaks its schema; all that is wrong with it is a cause. */
export function judge(
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

/** Throws the `ApiError` of an apply that holds what nobody knows: servers can't tell who would own it. */
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
