import { cloneJson, type JsonObject } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "./admission.ts";
import type { ApiObject, ResourceType, ServedVersion } from "./resource.ts";
import { forbidden, groupResourceText, internalError, type StatusError } from "./status.ts";

/** A group, a version and a kind. */
export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** A group, a version and a resource. */
export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}

/** The resource and version in which a webhook or policy receives a request. */
export interface Target {
  type: ResourceType;
  version: ServedVersion;
}

/** Returns the kind of the objects of a request, which for subresources such as `scale` isn't that of the resource. */
export function kindOf(target: Target, subresource: string): GroupVersionKind | undefined {
  const { type, version } = target;
  if (subresource === "") return { group: type.group, version: version.version, kind: type.kind };
  const entry = version.subresources.get(subresource);
  return entry && { group: entry.group ?? type.group, version: entry.version ?? version.version, kind: entry.kind };
}

/** Returns the kind of the objects of a request. */
export function requestKind(attributes: AdmissionAttributes): GroupVersionKind {
  const { type, version } = attributes;
  const fallback = { group: type.group, version: version.version, kind: type.kind };
  return kindOf(attributes, attributes.subresource) ?? fallback;
}

/** Returns the resource of a target. */
export function resourceOf({ type, version }: Target): GroupVersionResource {
  return { group: type.group, version: version.version, resource: type.resource };
}

/**
 * Creates the error of a plugin that refuses a request.
 *
 * @param attributes - the request
 * @param problem - why
 * @returns the error
 */
export function refused(attributes: AdmissionAttributes, problem: string): StatusError {
  const { group, resource } = attributes.type;
  const metadata = attributes.object?.metadata;
  const name = attributes.name || metadata?.name || metadata?.generateName || "Unknown";
  return forbidden({ group, resource }, name, problem);
}

/** The objects of a request in the version that a webhook or policy has asked for. */
export interface VersionedObjects {
  object: ApiObject | undefined;
  oldObject: ApiObject | undefined;
}

/**
 * Converts the objects of a request.
 *
 * @param attributes - the request
 * @param target - the version
 * @returns the objects; those of the request itself if its version is the target
 * @throws StatusError (500) if they can't be converted
 */
export async function versionedObjects(attributes: AdmissionAttributes, target: Target): Promise<VersionedObjects> {
  const { object, oldObject, subresource } = attributes;
  return {
    object: object && (await convertTo(object, attributes, target, subresource)),
    oldObject: oldObject && (await convertTo(oldObject, attributes, target, subresource)),
  };
}

/**
 * Converts an object between two versions of a resource.
 *
 * @param object - the object, which stays as it is
 * @param from - its version
 * @param target - the new version
 * @param subresource - the subresource of the request: the kind of some, such as `scale`, is the same in all versions
 * @returns the object itself if its kind is the same, otherwise another one
 * @throws StatusError (500) if it can't be converted
 */
export async function convertTo(
  object: ApiObject,
  from: Target,
  target: Target,
  subresource: string,
): Promise<ApiObject> {
  const [given, wanted] = [kindOf(from, subresource), kindOf(target, subresource)];
  if (given?.group === wanted?.group && given?.version === wanted?.version && given?.kind === wanted?.kind)
    return object;
  try {
    return await target.type.convert(inForm(cloneJson(object), from.type, target.type), target.version.version);
  } catch (error) {
    throw internalError((error as Error).message);
  }
}

/** Gives an object the fields that it has in another resource with the same objects. */
function inForm(object: ApiObject, from: ResourceType, to: ResourceType): ApiObject {
  if (from === to) return object;
  const stored = from.storedForm?.write(object) ?? object;
  return { ...(to.storedForm?.read(stored) ?? stored), kind: to.kind };
}

/** Returns a resource with its group, as messages print it. */
export function resourceText(attributes: AdmissionAttributes): string {
  return groupResourceText(attributes.type);
}

/** The fields of a user that webhooks and expressions see. Empty ones are absent. */
export function userObject(user: AdmissionAttributes["user"]): JsonObject {
  const { name, uid, groups, extra } = user;
  return {
    ...(name === "" ? {} : { username: name }),
    ...(uid ? { uid } : {}),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra: { ...extra } }),
  };
}

/**
 * Describes a request for webhooks and expressions, without its objects and its UID.
 *
 * @param attributes - the request
 * @param target - the resource and version that its recipient has asked for
 * @param kind - the kind in that version
 * @returns the fields of an AdmissionRequest
 */
export function requestObject(attributes: AdmissionAttributes, target: Target, kind: GroupVersionKind): JsonObject {
  const { subresource, name, namespace, options } = attributes;
  return {
    kind: { ...kind },
    resource: { ...resourceOf(target) },
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: { ...requestKind(attributes) },
    requestResource: { ...resourceOf(attributes) },
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation: attributes.operation,
    userInfo: userObject(attributes.user),
    dryRun: attributes.dryRun,
    options: Object.keys(options).length === 0 ? null : options,
  };
}
