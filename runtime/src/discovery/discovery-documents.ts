/** How a kind is spelled in URLs, and whether its objects live in namespaces. */
export interface RestMapping {
  plural: string;
  namespaced: boolean;
}

interface ResourceListDocument {
  kind?: string;
  resources?: { name: string; kind: string; namespaced?: boolean }[];
}

/** The kinds of an `APIResourceList`; `undefined` for anything else. */
export function parseResourceList(body: unknown): ReadonlyMap<string, RestMapping> | undefined {
  const document = body as ResourceListDocument | null | undefined;
  if (document?.kind !== "APIResourceList") return undefined;
  const kinds = new Map<string, RestMapping>();
  for (const { name, kind, namespaced } of document.resources ?? []) {
    // `pods/log`: subresources have the kind of what they answer with.
    if (name.includes("/") || kinds.has(kind)) continue;
    kinds.set(kind, { plural: name, namespaced: namespaced === true });
  }
  return kinds;
}
