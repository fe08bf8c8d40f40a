import type { JsonObject } from "../json/json.ts";
import type { Answer } from "../request/request.ts";
import { StatusError } from "../request/status.ts";
import { admissionAttributes } from "./attributes.ts";
import { getEntry } from "./read.ts";
import type { ApiObject } from "./resource.ts";
import type { Scope } from "./scope.ts";

/** Answers requests to a subresource with rules of its own. */
export type ConnectHandler = (scope: Scope) => Promise<Answer>;

const flags = ["stdin", "stdout", "stderr", "tty"];

/**
 * Answers requests that connect to a container, a Service or a node, such as `pods/exec`: admission decides about them as
 * in the real server, but there is nothing to connect to.
 *
 * @param scope - the request
 * @throws StatusError (404) without the object, (501) if admission allows the request, or the error of admission
 */
export async function connect(scope: Scope): Promise<Answer> {
  const { type, info, version } = scope;
  getEntry(scope);
  const kind = version.subresources.get(info.subresource)?.kind ?? "";
  const object = { kind, apiVersion: "v1", ...queryOptions(scope) } as JsonObject as ApiObject;
  const attributes = admissionAttributes(scope, "CONNECT", { ...object, metadata: {} }, undefined, {}, false);
  await scope.engine.admission.mutate(attributes);
  await scope.engine.admission.validate(attributes);
  const message = `${type.resource}/${info.subresource}: the embedded API server runs no containers and has no nodes`;
  throw new StatusError(501, "NotImplemented", message, {});
}

function queryOptions({ info: { query, parts } }: Scope): JsonObject {
  const options: JsonObject = {};
  for (const flag of flags) if (query.flag(flag)) options[flag] = true;
  if (query.has("container")) options.container = query.text("container");
  if (query.has("command")) options.command = query.texts("command");
  if (query.has("ports")) options.ports = query.texts("ports").flatMap((text) => text.split(",").map(Number));
  const path = parts.slice(3).join("/");
  if (path !== "" || query.has("path")) options.path = path || query.text("path");
  return options;
}
