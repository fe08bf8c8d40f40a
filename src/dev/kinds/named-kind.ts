import type { KubeResource } from "../client/kube-client.ts";

/** A kind with the names by which kubectl finds it. */
export interface NamedKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** Empty if it isn't known. */
  readonly plural: string;
  readonly versions: readonly string[];
  /** Unset if it isn't known. */
  readonly namespaced?: boolean;
  /** The kind, singular and plural in lower case. */
  readonly names: readonly string[];
  readonly shortNames: readonly string[];
}

/** Returns the group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** A kind that isn't served, but that records or manifests contain. */
export interface RecordedKind {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly plural?: string;
}

type AddedKind = Omit<KubeResource, "namespaced" | "verbs" | "subresources"> & { readonly namespaced?: boolean };

/** Merges the versions of each kind, in the order of the resources: that of kubectl. Other kinds follow. */
export function namedKinds(resources: readonly KubeResource[], others: readonly RecordedKind[]): NamedKind[] {
  const byName = new Map<string, NamedKind>();
  const add = ({ group, version, kind, plural, singular, shortNames, namespaced }: AddedKind): void => {
    const key = `${group}/${kind}`;
    const earlier = byName.get(key);
    const names = [kind, singular, plural].filter((name) => name !== "").map((name) => name.toLowerCase());
    const scope = earlier?.namespaced ?? namespaced;
    byName.set(key, {
      group,
      kind,
      plural: earlier?.plural || plural,
      versions: [...new Set([...(earlier?.versions ?? []), version])],
      ...(scope === undefined ? {} : { namespaced: scope }),
      names: [...new Set([...(earlier?.names ?? []), ...names])],
      shortNames: [...new Set([...(earlier?.shortNames ?? []), ...shortNames])],
    });
  };
  for (const resource of resources) add(resource);
  for (const { apiVersion, kind, plural = "" } of others) {
    const isKnown = [...byName.values()].some((namedKind) => namedKind.kind === kind);
    // Records of controllers without a kind have no version.
    if (kind === "" || (apiVersion === undefined && isKnown)) continue;
    const [group, version] = [groupOf(apiVersion ?? ""), (apiVersion ?? "v1").replace(/^.*\//, "")];
    add({ group, version, kind, plural, singular: "", shortNames: [] });
  }
  return [...byName.values()];
}

/**
 * Returns the kinds that a text names, in one of the forms of kubectl: a kind, plural, singular or short name, optionally
 * followed by `.GROUP` or `.VERSION.GROUP`. In the core group, `.v1.` follows. Case is ignored.
 */
export function kindsNamed(kinds: readonly NamedKind[], text: string): NamedKind[] {
  const [name = "", ...rest] = text.toLowerCase().split(".");
  const suffix = rest.join(".").replace(/\.$/, "");
  const fitting = kinds.filter((kind) => hasSuffix(kind, suffix));
  const exact = fitting.filter(({ names }) => names.includes(name));
  return exact.length > 0 ? exact : fitting.filter(({ shortNames }) => shortNames.includes(name));
}

function hasSuffix({ group, versions }: NamedKind, suffix: string): boolean {
  if (suffix === "" || suffix === group) return true;
  return versions.some((version) => suffix === (group === "" ? version : `${version}.${group}`));
}

/** Returns the form that names only this kind, such as `games.example.com`, or `services.v1.` in the core group. */
export function fullName({ group, kind, plural, versions }: NamedKind): string {
  const name = plural === "" ? kind.toLowerCase() : plural;
  return group === "" ? `${name}.${versions[0] ?? "v1"}.` : `${name}.${group}`;
}
