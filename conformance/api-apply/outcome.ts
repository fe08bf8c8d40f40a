// The server's answer to a write, and the result of our functions.

import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { ApiError } from "@kubewright/runtime";
import { applyPatch, type ManagedKind, updateManagedFields } from "../../packages/apiserver/src/apply/field-manager.ts";
import { keepTimes } from "../../packages/apiserver/src/apply/times.ts";
import { equalValues } from "../../packages/apiserver/src/apply/typed/values.ts";
import { StatusError } from "../../packages/apiserver/src/model/status.ts";
import { applyJsonPatch } from "../../packages/apiserver/src/patch/json-patch.ts";
import { applyMergePatch } from "../../packages/apiserver/src/patch/merge-patch.ts";
import { applyStrategicPatch } from "../../packages/apiserver/src/patch/strategic-merge.ts";
import { type Kind, request } from "./server.ts";
import type { Step } from "./steps.ts";

/** The server's answer to a step, or the expected one. */
export interface Outcome {
  error?: string;
  object?: JsonObject;
  changed?: boolean;
  /** The result of the field manager. */
  merged?: JsonObject;
}

/** The time of our results. */
export const now = "2030-01-01T00:00:00Z";

/** Returns a kind for the field manager. */
export function managedKind(kind: Kind, subresource: Step["subresource"]): ManagedKind {
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    subresource,
    typeOf: () => kind.type,
    convert: (object, apiVersion) => ({ ...object, apiVersion }),
    resetFields: kind.resetFields(subresource),
    empty: kind.empty,
  };
}

function normalizedError(code: number, message: string): string {
  return `${code} ${message.split("\n").sort().join("\n")}`;
}

/** Writes to the server. */
export async function send(kind: Kind, name: string, step: Step, live: JsonObject | undefined): Promise<Outcome> {
  const query = {
    fieldManager: step.manager,
    fieldValidation: "Ignore",
    ...(step.op === "apply" ? { force: step.force } : {}),
  };
  const path = `${kind.path}/${name}${step.subresource === "" ? "" : `/${step.subresource}`}`;
  try {
    const patch = (contentType: string, body: Json) => request("PATCH", path, { query, contentType, body });
    let object: JsonObject;
    switch (step.op) {
      case "create":
        object = await request("POST", kind.path, { query, body: bodyOf(kind, name, step, undefined) });
        break;
      case "update":
        object = await request("PUT", path, { query, body: bodyOf(kind, name, step, live) });
        break;
      case "apply":
        object = await patch("application/apply-patch+yaml", bodyOf(kind, name, step, undefined));
        break;
      case "json":
        object = await patch("application/json-patch+json", step.body);
        break;
      case "merge":
        object = await patch("application/merge-patch+json", step.body);
        break;
      default:
        object = await patch("application/strategic-merge-patch+json", step.body);
    }
    const version = (from: JsonObject | undefined) => (from?.metadata as JsonObject | undefined)?.resourceVersion;
    return { object, changed: version(object) !== version(live) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { error: normalizedError(error.code, error.message) };
  }
}

function bodyOf(kind: Kind, name: string, step: Step, live: JsonObject | undefined): JsonObject {
  const body = step.body as JsonObject;
  const resourceVersion = (live?.metadata as JsonObject | undefined)?.resourceVersion;
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    ...body,
    metadata: {
      name,
      namespace: "default",
      ...(body.metadata as JsonObject),
      ...(resourceVersion ? { resourceVersion } : {}),
    },
  };
}

/** Predicts the outcome. The server's object supplies values that only the server determines, such as defaults of built-in kinds. */
export function predict(kind: Kind, name: string, step: Step, live: JsonObject | undefined, answer: Outcome): Outcome {
  const managed = managedKind(kind, step.subresource);
  try {
    if (step.op === "apply") {
      const { object } = applyPatch(managed, {
        live: live ?? kind.empty(),
        patch: bodyOf(kind, name, step, undefined),
        manager: step.manager,
        force: step.force,
        now,
      });
      return finish(kind, object, live, step.subresource);
    }
    let updated: JsonObject;
    const text = JSON.stringify(step.body);
    if (step.op === "json") updated = applyJsonPatch(live as JsonObject, text, "Ignore").value as JsonObject;
    else if (step.op === "merge") updated = applyMergePatch(live as JsonObject, text, "Ignore").value as JsonObject;
    else if (step.op === "strategic") {
      updated = applyStrategicPatch(live as JsonObject, text, kind.schema, "Ignore").value as JsonObject;
    } else updated = bodyOf(kind, name, step, live);
    if (kind.complete) updated = withoutEmptyMetadata(kind.complete(updated));
    else if (answer.object) {
      const { managedFields: _, ...metadata } = answer.object.metadata as JsonObject;
      const sent = (updated.metadata as JsonObject).managedFields;
      updated = { ...answer.object, metadata: { ...metadata, ...(sent === undefined ? {} : { managedFields: sent }) } };
      if ((step.op === "create" || step.op === "update") && kind.assigned && isObject(updated.spec)) {
        const spec = Object.entries(updated.spec).filter(([name]) => !kind.assigned?.includes(name));
        updated = { ...updated, spec: Object.fromEntries(spec) };
      }
    }
    const object = updateManagedFields(managed, { live: live ?? kind.empty(), updated, manager: step.manager, now });
    return finish(kind, object, live, step.subresource);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { error: normalizedError(error.code, error.message) };
  }
}

/** Drops empty parts of metadata, which custom resources and objects in them lose when the server decodes them. */
function withoutEmptyMetadata(object: JsonObject): JsonObject {
  const metadata = Object.entries((object.metadata ?? {}) as JsonObject).filter(
    ([, part]) => typeof part !== "object" || (part !== null && Object.keys(part).length > 0),
  );
  const resource = isObject(object.spec) && isObject(object.spec.resource) ? object.spec.resource : undefined;
  const spec = resource && { spec: { ...(object.spec as JsonObject), resource: withoutEmptyMetadata(resource) } };
  return { ...object, ...spec, metadata: Object.fromEntries(metadata) };
}

/** Applies the strategies of the kinds. */
function finish(
  kind: Kind,
  result: JsonObject,
  live: JsonObject | undefined,
  subresource: Step["subresource"],
): Outcome {
  let object = kind.complete ? withoutEmptyMetadata(kind.complete(result)) : result;
  const { managedFields } = object.metadata as JsonObject;
  if (subresource === "status") {
    object = {
      ...live,
      metadata: { ...(live?.metadata as JsonObject), managedFields: managedFields as Json },
      status: object.status as Json,
    };
  } else if (kind.complete) object = { ...object, status: live?.status };
  if (live === undefined) return { object, merged: result };
  object = keepTimes(object, live, kind.complete === undefined);
  return { object, merged: result, changed: !equalValues(comparable(object, true), comparable(live, true)) };
}

/** Removes values that the server assigns. */
export function comparable(object: JsonObject, withTimes = false): JsonObject {
  const {
    uid: _,
    resourceVersion: __,
    generation: ___,
    creationTimestamp: ____,
    managedFields,
    ...metadata
  } = (object.metadata ?? {}) as JsonObject;
  const entries = Array.isArray(managedFields)
    ? managedFields.map((entry) =>
        withTimes ? entry : { ...(entry as JsonObject), time: (entry as JsonObject).time !== undefined },
      )
    : undefined;
  return JSON.parse(
    JSON.stringify({ ...object, metadata: { ...metadata, managedFields: withTimes ? entries : sorted(entries) } }),
  ) as JsonObject;
}

function sorted(entries: Json[] | undefined): Json[] | undefined {
  const key = (entry: Json) => {
    const { operation, manager, apiVersion, subresource = "" } = entry as JsonObject;
    return `${operation} ${manager} ${apiVersion} ${subresource}`;
  };
  return entries?.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
