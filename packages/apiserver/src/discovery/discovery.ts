import { createHash } from "node:crypto";
import type { JsonObject } from "@kubewright/cel/json";
import type { ResourceType, ServedVersion, SubresourceInfo } from "../model/resource.ts";
import type { ApiGroup } from "./groups.ts";

/** The kind of the aggregated form of discovery, which clients ask for with parameters of the media type. */
export const aggregatedKind = { group: "apidiscovery.k8s.io", version: "v2", kind: "APIGroupDiscoveryList" };

type Body = string | Uint8Array;

/** The aggregated document in the encodings that were asked for. */
interface Aggregated {
  document: JsonObject;
  etag: string;
  bodies: Map<string, Body>;
}

/** The groups in the orders of the two forms of discovery. */
export interface ListedGroups {
  /** All groups with an APIService. */
  groups: readonly ApiGroup[];
  /** The groups of this server and of other servers. */
  aggregated: readonly ApiGroup[];
}

/** Creates the documents of discovery. They are computed once for each state of the resources. */
export class Discovery {
  readonly #listed: () => ListedGroups;
  readonly #address: () => string;
  #aggregated = new Map<boolean, Aggregated>();
  #seen: readonly ApiGroup[] = [];

  /**
   * @param listed - returns the groups, the same lists until something changes
   * @param address - returns host and port of the server
   */
  constructor(listed: () => ListedGroups, address: () => string) {
    this.#listed = listed;
    this.#address = address;
  }

  /** Returns the versions of the core group. */
  core(): JsonObject {
    return {
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: this.#address() }],
    };
  }

  /** Returns the list of all groups but the core group. */
  groups(): JsonObject {
    const groups = this.#listed().groups.filter(({ name }) => name !== "");
    return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map((group) => groupOf(group)) };
  }

  /** Returns a group; undefined if it doesn't exist. */
  group(name: string): JsonObject | undefined {
    const group = this.#listed().groups.find((group) => group.name === name);
    return group && name !== "" ? { kind: "APIGroup", apiVersion: "v1", ...groupOf(group) } : undefined;
  }

  /** Returns the resources of a version of a group; undefined if it doesn't exist. */
  resources(group: string, version: string): JsonObject | undefined {
    const resources = this.#listed()
      .groups.find((apiGroup) => apiGroup.name === group)
      ?.versions.find((apiGroupVersion) => apiGroupVersion.version === version);
    if (resources === undefined || resources.unserved !== undefined) return undefined;
    return {
      kind: "APIResourceList",
      // Lists of version v1 of the core group have no version of their own.
      ...(group === "" ? {} : { apiVersion: "v1" }),
      groupVersion: group === "" ? version : `${group}/${version}`,
      resources: resources.resources.flatMap((type) => resourceOf(type, type.versions.get(version) as ServedVersion)),
    };
  }

  /**
   * Creates the aggregated document.
   *
   * @param core - true for the core group alone, false for all others
   * @param encoding - the name of the encoding
   * @param encode - encodes the document, if it isn't known in this encoding
   * @returns its body, and its ETag, which all encodings share
   */
  aggregated(core: boolean, encoding: string, encode: (document: JsonObject) => Body): { body: Body; etag: string } {
    const { document, etag, bodies } = this.#aggregatedOf(core);
    const body = bodies.get(encoding) ?? encode(document);
    bodies.set(encoding, body);
    return { body, etag };
  }

  #aggregatedOf(core: boolean): Aggregated {
    const groups = this.#listed().aggregated;
    if (groups !== this.#seen) {
      this.#seen = groups;
      this.#aggregated = new Map();
    }
    const cached = this.#aggregated.get(core);
    if (cached !== undefined) return cached;
    const { group, version, kind } = aggregatedKind;
    const items = groups.filter(({ name }) => (name === "") === core).map(aggregatedGroup);
    const document = { kind, apiVersion: `${group}/${version}`, metadata: {}, items };
    const etag = `"${createHash("sha512").update(JSON.stringify(document)).digest("hex").toUpperCase()}"`;
    const made = { document, etag, bodies: new Map() };
    this.#aggregated.set(core, made);
    return made;
  }
}

function groupOf({ name, versions }: ApiGroup): JsonObject {
  const list = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: list, preferredVersion: list[0] as JsonObject };
}

function resourceOf(type: ResourceType, served: ServedVersion): JsonObject[] {
  const subresources = [...served.subresources.values()].map((subresource) => ({
    name: `${type.resource}/${subresource.name}`,
    singularName: "",
    namespaced: type.namespaced,
    ...(subresource.group === undefined ? {} : { group: subresource.group, version: subresource.version ?? "" }),
    kind: subresource.kind,
    verbs: [...subresource.verbs],
  }));
  if (served.verbs.length === 0) return subresources;
  const own = {
    name: type.resource,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: [...served.verbs],
    ...(type.shortNames.length === 0 ? {} : { shortNames: [...type.shortNames] }),
    ...(type.categories.length === 0 ? {} : { categories: [...type.categories] }),
    ...(served.storageVersionHash === undefined ? {} : { storageVersionHash: served.storageVersionHash }),
  };
  return [own, ...subresources];
}

function aggregatedGroup({ name, versions }: ApiGroup): JsonObject {
  return {
    metadata: name === "" ? {} : { name },
    versions: versions.map(({ version, resources, unserved }) =>
      unserved === undefined
        ? {
            version,
            resources: resources.map((type) => aggregatedResource(name, version, type)),
            freshness: "Current",
          }
        : // Another server would be asked for its resources.
          { version, freshness: "Stale" },
    ),
  };
}

function aggregatedResource(group: string, version: string, type: ResourceType): JsonObject {
  const served = type.versions.get(version) as ServedVersion;
  // The real server leaves out group and version of its own kinds.
  const own = type.custom ? { group, version } : { group: "", version: "" };
  const subresources = [...served.subresources.values()].map((subresource: SubresourceInfo) => ({
    subresource: subresource.name,
    responseKind:
      subresource.group === undefined
        ? { ...own, kind: subresource.kind }
        : { group: subresource.group, version: subresource.version ?? "", kind: subresource.kind },
    verbs: [...subresource.verbs],
  }));
  return {
    resource: type.resource,
    responseKind: { ...own, kind: type.kind },
    scope: type.namespaced ? "Namespaced" : "Cluster",
    singularResource: type.singular,
    verbs: [...served.verbs],
    ...(type.shortNames.length === 0 ? {} : { shortNames: [...type.shortNames] }),
    ...(type.categories.length === 0 ? {} : { categories: [...type.categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
