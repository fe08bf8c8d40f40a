/** A permission of a role. */
export interface Permission {
  readonly groups: readonly string[];
  /** In plural. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** The namespace of a Role; empty for a ClusterRole. */
  readonly namespace: string;
  /** Undefined for the usual role. */
  readonly roleName: string | undefined;
}

/** A kind that a manager watches. */
export interface WatchedKind {
  /** The group with its domain, empty for the core group. */
  readonly group: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/**
 * Returns the only namespaces in which roles let a manager watch its kinds, sorted. Cluster-scoped kinds don't matter, because a
 * manager watches them with any namespaces.
 *
 * @param kinds - the kinds in PROJECT; if no permission is for one of them, all permissions count
 * @returns none if it can watch a kind in all namespaces
 */
export function watchedNamespaces(permissions: readonly Permission[], kinds: readonly WatchedKind[]): string[] {
  const watches = permissions.filter(isWatch);
  const ofKinds = watches.filter((watch) => kinds.some((kind) => isFor(watch, kind)));
  const ofNamespaced = watches.filter((watch) => kinds.some((kind) => kind.namespaced && isFor(watch, kind)));
  if (ofKinds.length > 0 && ofNamespaced.length === 0) return [];
  const namespaces = new Set((ofKinds.length > 0 ? ofNamespaced : permissions).map(({ namespace }) => namespace));
  return namespaces.has("") ? [] : [...namespaces].sort();
}

/** Checks whether permissions let a manager watch a kind in any namespace. */
export function canWatch(permissions: readonly Permission[], kind: WatchedKind): boolean {
  return permissions.some((permission) => isWatch(permission) && isFor(permission, kind));
}

const isWatch = ({ verbs }: Permission): boolean => verbs.some((verb) => /^(\*|list|watch)$/.test(verb));

function isFor({ groups, resources }: Permission, { group, plural }: WatchedKind): boolean {
  return (
    (groups.includes(group) || groups.includes("*") || (group === "" && groups.includes("core"))) &&
    (resources.includes(plural) || resources.includes("*"))
  );
}
