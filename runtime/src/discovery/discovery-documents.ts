/** How a kind is spelled in URLs, and whether its objects live in namespaces. */
export interface RestMapping {
  plural: string;
  namespaced: boolean;
}

/** Asks for all groups in one document; servers that don't have it answer with the list of groups. */
export const AGGREGATED: string =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/** The kinds of one group and version. */
export interface ApiResources {
  group: string;
  version: string;
  kinds: ReadonlyMap<string, RestMapping>;
}

interface AggregatedDocument {
  kind?: string;
  items?: {
    metadata?: { name?: string };
    versions?: {
      version: string;
      resources?: { resource: string; scope?: string; responseKind?: { kind?: string } }[];
    }[];
  }[];
}

interface ResourceListDocument {
  kind?: string;
  resources?: { name: string; kind: string; namespaced?: boolean }[];
}

/** The groups of an aggregated discovery document; `undefined` when the server has answered in the old form. */
export function parseAggregated(body: unknown): ApiResources[] | undefined {
  const document = body as AggregatedDocument | null | undefined;
  if (document?.kind !== "APIGroupDiscoveryList") return undefined;
  const out: ApiResources[] = [];
  for (const group of document.items ?? []) {
    for (const { version, resources = [] } of group.versions ?? []) {
      const kinds = new Map<string, RestMapping>();
      for (const { resource, scope, responseKind } of resources) {
        // The first resource of a kind is the one that stores it.
        const kind = responseKind?.kind;
        if (kind && !kinds.has(kind)) kinds.set(kind, { plural: resource, namespaced: scope === "Namespaced" });
      }
      out.push({ group: group.metadata?.name ?? "", version, kinds });
    }
  }
  return out;
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
