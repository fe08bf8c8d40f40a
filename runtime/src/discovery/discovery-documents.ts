/** The resource name of a kind in URLs, and whether the kind is namespaced. */
export interface RestMapping {
  plural: string;
  namespaced: boolean;
}

interface ResourceListDocument {
  kind?: string;
  resources?: { name: string; kind: string; namespaced?: boolean }[];
}

/** Returns the kinds of an `APIResourceList`, or `undefined` for any other value. */
export function parseResourceList(body: unknown): ReadonlyMap<string, RestMapping> | undefined {
  const document = body as ResourceListDocument | null | undefined;
  if (document?.kind !== "APIResourceList") return undefined;
  const kinds = new Map<string, RestMapping>();
  for (const { name, kind, namespaced } of document.resources ?? []) {
    // Skips subresources such as `pods/log`, which have the kind of their response.
    if (name.includes("/") || kinds.has(kind)) continue;
    kinds.set(kind, { plural: name, namespaced: namespaced === true });
  }
  return kinds;
}
