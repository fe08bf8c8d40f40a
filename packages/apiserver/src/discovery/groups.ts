import { builtInGroups } from "../builtin/resources.ts";
import { compareVersions } from "../crd/validate-definition.ts";
import type { KubernetesVersion } from "../data/versions.ts";
import type { ResourceType } from "../model/resource.ts";

/** A group of resources with its versions, the preferred one first. */
export interface ApiGroup {
  name: string;
  versions: ApiGroupVersion[];
}

/** A version of a group. */
export interface ApiGroupVersion {
  version: string;
  resources: ResourceType[];
  /** Set if an APIService lists the version and this server doesn't serve it: `remote` if it refers to another server. */
  unserved?: "remote" | "missing";
}

/**
 * Lists the groups that this server serves, the built-in ones first.
 *
 * @param types - the built-in resources
 * @param custom - the custom resources
 * @param kubernetes - the version of Kubernetes
 * @returns the groups
 */
export function servedGroups(
  types: readonly ResourceType[],
  custom: readonly ResourceType[],
  kubernetes: KubernetesVersion,
): ApiGroup[] {
  const groups = builtInGroups(kubernetes).map(({ name, versions }) => ({
    name,
    versions: versions.map((version) => ({
      version,
      resources: types.filter((type) => type.group === name && type.versions.has(version)),
    })),
  }));
  for (const name of [...new Set(custom.map(({ group }) => group))].sort()) {
    const own = custom.filter(({ group }) => group === name);
    const versions = [...new Set(own.flatMap((type) => [...type.versions.keys()]))].sort(compareVersions);
    groups.push({
      name,
      versions: versions.map((version) => ({ version, resources: own.filter((type) => type.versions.has(version)) })),
    });
  }
  return groups;
}

/** A version of a group as its APIService lists it. */
export interface ListedVersion {
  /** The name of the APIService. */
  name: string;
  group: string;
  version: string;
  groupPriorityMinimum: number;
  versionPriority: number;
  /** Whether the APIService refers to another server. */
  isRemote: boolean;
}

/**
 * Lists groups as their APIServices do.
 *
 * @param served - the groups that this server serves
 * @param listed - the versions of groups that have an APIService
 * @returns all groups in the order of their priorities, and those that a server serves, equal priorities by group
 */
export function listGroups(
  served: readonly ApiGroup[],
  listed: readonly ListedVersion[],
): { groups: ApiGroup[]; aggregated: ApiGroup[] } {
  const byName = new Map(
    served.flatMap(({ name, versions }) => versions.map((version) => [`${version.version}.${name}`, version])),
  );
  const versions = listed.map((listedVersion): ListedVersion & { shown: ApiGroupVersion } => {
    const { name, version, isRemote } = listedVersion;
    const own = isRemote ? undefined : byName.get(name);
    return { ...listedVersion, shown: own ?? { version, resources: [], unserved: isRemote ? "remote" : "missing" } };
  });
  // The group of APIServices has none.
  const first = served.filter(({ name }) => name === "apiregistration.k8s.io");
  const groupsOf = (of: typeof versions, key: "name" | "group"): ApiGroup[] => {
    const groups = new Map<string, typeof versions>();
    of.sort((a, b) => b.groupPriorityMinimum - a.groupPriorityMinimum || (a[key] < b[key] ? -1 : 1));
    for (const entry of of) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
    const inOrder = (a: ListedVersion, b: ListedVersion): number =>
      b.versionPriority - a.versionPriority || compareVersions(a.version, b.version);
    return [
      ...first,
      ...[...groups].map(([name, own]) => ({ name, versions: own.sort(inOrder).map(({ shown }) => shown) })),
    ];
  };
  return {
    groups: groupsOf(versions, "name"),
    aggregated: groupsOf(
      versions.filter(({ shown }) => shown.unserved !== "missing"),
      "group",
    ),
  };
}
