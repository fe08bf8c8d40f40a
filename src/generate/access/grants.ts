import type { Marker } from "../markers/index.ts";
import type { RbacValue } from "../rbac/index.ts";
import type { Resource } from "./resources.ts";

/** A right that is given. */
export interface Grant {
  readonly groups: readonly string[];
  /** With their subresources. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Of these names only; empty for all. */
  readonly names: readonly string[];
  /** In this namespace only; empty for all. */
  readonly namespace: string;
}

/** A right that code wants. */
export interface Need {
  readonly resource: Resource;
  readonly subresource?: string;
  readonly verb: string;
  /** At all namespaces at once. */
  readonly everywhere: boolean;
  /** Not of a single object: a role that names objects doesn't give it. */
  readonly ofMany: boolean;
  /** The only object that is needed, if its name is known. */
  readonly name?: string;
}

/** What a marker gives. */
export function grantOf(value: RbacValue): Grant {
  return {
    groups: (value.groups ?? [""]).map((group) => (group === "core" ? "" : group)),
    resources: value.resources ?? [],
    verbs: value.verbs ?? [],
    names: value.resourceNames ?? [],
    namespace: value.namespace,
  };
}

/** A marker of the run, and what it gives. */
export interface MarkedGrant extends Grant {
  readonly marker: Marker;
  readonly value: RbacValue;
}

/** The resource as roles write it. */
export function resourceText({ plural }: Resource, subresource: string | undefined): string {
  return subresource === undefined ? plural : `${plural}/${subresource}`;
}

/** Whether a right is about a resource at all. */
export function isAbout(grant: Grant, { resource, subresource }: Pick<Need, "resource" | "subresource">): boolean {
  if (!grant.groups.some((group) => group === "*" || group === resource.group)) return false;
  const text = resourceText(resource, subresource);
  return grant.resources.some((each) => each === "*" || each === text || (subresource && each === `*/${subresource}`));
}

/** Whether a right that names objects allows a need; a right without names allows all of them. */
export function allowsName({ names }: Pick<Grant, "names">, { ofMany, name }: Pick<Need, "ofMany" | "name">): boolean {
  return names.length === 0 || (!ofMany && (name === undefined || names.includes(name)));
}

/** Whether a right covers a need, as the API server's authorizer would see it. */
export function covers(grant: Grant, need: Need): boolean {
  if (!isAbout(grant, need) || !grant.verbs.some((verb) => verb === "*" || verb === need.verb)) return false;
  if (!allowsName(grant, need)) return false;
  return grant.namespace === "" || !(need.everywhere || need.resource.scope === "Cluster");
}
