import type { Marker } from "../../markers/index.ts";
import type { RbacArguments } from "../roles.ts";
import type { Resource } from "./resources.ts";

/** A granted permission. */
export interface Grant {
  readonly groups: readonly string[];
  /** Including subresources. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Restricted to objects of these names; empty for all. */
  readonly names: readonly string[];
  /** Restricted to this namespace; empty for all. */
  readonly namespace: string;
  /** Paths without resources. */
  readonly urls?: readonly string[];
}

/** A permission that code needs. */
export interface Need {
  readonly resource: Resource;
  readonly subresource?: string;
  readonly verb: string;
  /** In all namespaces at once. */
  readonly everywhere: boolean;
  /** For more than a single object: a role that is restricted to names doesn't grant it. */
  readonly ofMany: boolean;
  /** The name of the only object that is accessed, if it is known. */
  readonly name?: string;
}

/** Returns the permission that a marker grants. */
export function grantOf(value: RbacArguments): Grant {
  return {
    groups: (value.groups ?? [""]).map((group) => (group === "core" ? "" : group)),
    resources: value.resources ?? [],
    verbs: value.verbs ?? [],
    names: value.resourceNames ?? [],
    namespace: value.namespace,
    urls: value.urls ?? [],
  };
}

/** A marker of the run, with the permission that it grants. */
export interface MarkedGrant extends Grant {
  readonly marker: Marker;
  readonly value: RbacArguments;
}

/** Formats the resource as in a role. */
export function resourceText({ plural }: Resource, subresource: string | undefined): string {
  return subresource === undefined ? plural : `${plural}/${subresource}`;
}

/** Returns whether a permission covers a resource, for some verb. */
export function isAbout(grant: Grant, { resource, subresource }: Pick<Need, "resource" | "subresource">): boolean {
  if (!grant.groups.some((group) => group === "*" || group === resource.group)) return false;
  const text = resourceText(resource, subresource);
  return grant.resources.some((each) => each === "*" || each === text || (subresource && each === `*/${subresource}`));
}

/** Returns whether a permission that is restricted to names allows a need; without names it allows all. */
export function allowsName({ names }: Pick<Grant, "names">, { ofMany, name }: Pick<Need, "ofMany" | "name">): boolean {
  return names.length === 0 || (!ofMany && (name === undefined || names.includes(name)));
}

/** Returns whether a permission covers a need, by the rules of the API server's authorizer. */
export function covers(grant: Grant, need: Need): boolean {
  if (!isAbout(grant, need) || !grant.verbs.some((verb) => verb === "*" || verb === need.verb)) return false;
  if (!allowsName(grant, need)) return false;
  return grant.namespace === "" || !(need.everywhere || need.resource.scope === "Cluster");
}
