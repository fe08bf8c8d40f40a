import type { JsonObject } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "../model/admission.ts";
import type { Answer } from "../model/request.ts";
import type { ApiObject } from "../model/resource.ts";
import { badRequest, forbidden, StatusError } from "../model/status.ts";
import type { WriteOptions } from "../model/write-options.ts";
import { admissionAttributes, createAccess, optionsObject } from "../registry/attributes.ts";
import type { Scope } from "../registry/scope.ts";
import { checkTarget } from "./connect-targets.ts";

/** Answers requests to a subresource with rules of its own. */
export type ConnectHandler = (scope: Scope) => Promise<Answer>;

/**
 * Sets the owners of an object that is posted to a subresource, and runs mutating admission.
 *
 * @param scope - the request
 * @param object - the object
 * @param options - the options of the request
 * @param empty - an object whose fields have no owner; by default there is none
 * @returns the attributes for validating admission, with the object that mutating admission returns
 */
export async function admitPosted(
  scope: Scope,
  object: ApiObject,
  options: WriteOptions,
  empty?: ApiObject,
): Promise<AdmissionAttributes & { object: ApiObject }> {
  const owned = await scope.fieldManager().update(empty, object, scope.manager(options.fieldManager));
  const shown = optionsObject(scope, "CreateOptions", options);
  const attributes = admissionAttributes(scope, "CREATE", owned, undefined, shown, options.dryRun);
  return { ...attributes, object: (await scope.engine.admission.mutate(attributes)) ?? owned };
}

const flags = ["stdin", "stdout", "stderr", "tty"];

/**
 * Answers requests that connect to a container, a Service or a node, such as `pods/exec`: admission decides about them as
 * in the real server, but there is nothing to connect to.
 *
 * @param scope - the request
 * @throws StatusError (501) if there were something to connect to, or the error of admission or of the missing target
 */
export async function connect(scope: Scope): Promise<Answer> {
  const { type, info, version } = scope;
  const kind = version.subresources.get(info.subresource)?.kind ?? "";
  const object = { kind, apiVersion: "v1", ...queryOptions(scope) } as JsonObject as ApiObject;
  const attributes = admissionAttributes(scope, "CONNECT", { ...object, metadata: {} }, undefined, {}, false);
  await scope.engine.admission.mutate(attributes);
  await scope.engine.admission.validate(attributes);
  // Web sockets are opened by GET, although the connection can do more than read.
  if (type.resource === "pods" && info.subresource !== "proxy" && info.verb !== "create") authorizeCreate(scope);
  checkTarget(scope, info.query.text("container"));
  const message = `${type.resource}/${info.subresource}: the embedded API server runs no containers and has no nodes`;
  throw new StatusError(501, "NotImplemented", message, {});
}

function authorizeCreate(scope: Scope): void {
  const decision = scope.engine.authorizer.authorize(createAccess(scope));
  if (!decision.allowed) throw forbidden(scope.groupResource, scope.info.name, decision.reason);
}

function queryOptions({ info: { query, parts } }: Scope): JsonObject {
  const options: JsonObject = {};
  for (const flag of flags) if (query.flag(flag)) options[flag] = true;
  if (query.has("container")) options.container = query.text("container");
  if (query.has("command")) options.command = query.texts("command");
  if (query.has("ports")) options.ports = query.texts("ports").flatMap((text) => text.split(",").map(portOf));
  const path = parts.slice(3).join("/");
  if (path !== "" || query.has("path")) options.path = path || query.text("path");
  return options;
}

function portOf(text: string): number {
  const problem = (what: string): StatusError =>
    badRequest(`cannot convert to []int32: strconv.ParseUint: parsing "${text}": ${what}`);
  if (!/^\d+$/.test(text)) throw problem("invalid syntax");
  if (Number(text) > 65_535) throw problem("value out of range");
  return Number(text);
}
