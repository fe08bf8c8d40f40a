import type { ManagedFieldsEntry } from "@kubewright/runtime/managed-fields";
import type { KubeRequest, Transport } from "./packages.ts";

/** An object of Kubernetes. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata?: {
    name?: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    annotations?: Record<string, string>;
    ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean }[];
    managedFields?: ManagedFieldsEntry[];
  };
  [field: string]: unknown;
}

/** A resource of the API server. */
export interface KubeResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

/** The field manager of the session's own writes. */
export const fieldManager = "kubewright-dev";

/** Returns the HTTP status of a failure, if it is an answer of the server. */
export function statusOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "number" ? code : undefined;
}

/**
 * Reads and writes objects of any kind. Its discovery isn't the runtime's `RestMapper`, which only maps a kind of the operator to
 * its path. A session also needs short names, verbs and subresources, and all groups, and it must work with the transport of
 * any version of the runtime that the project has installed.
 */
export class KubeClient {
  readonly #transport: Transport;
  readonly #resources = new Map<string, Promise<readonly KubeResource[]>>();
  #groupVersions: Promise<readonly string[]> | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async request(request: KubeRequest): Promise<unknown> {
    return (await this.#transport.request({ timeout: 30_000, maxRetries: 0, ...request })).body;
  }

  stream(request: KubeRequest): Promise<AsyncIterable<unknown> & { close(): Promise<void> }> {
    return this.#transport.stream(request);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Forgets what the server serves, after CRDs have changed. */
  forgetResources(): void {
    this.#resources.clear();
    this.#groupVersions = undefined;
  }

  /** Returns the resources of a group and version, without subresources. */
  resources(apiVersion: string): Promise<readonly KubeResource[]> {
    const cached = this.#resources.get(apiVersion);
    if (cached) return cached;
    const discovered = this.#discover(apiVersion);
    this.#resources.set(apiVersion, discovered);
    discovered.catch(() => this.#resources.delete(apiVersion));
    return discovered;
  }

  /**
   * Returns the resources of all groups and versions, in the order of the server. Those of a group whose server doesn't answer
   * are left out.
   */
  async allResources(): Promise<readonly KubeResource[]> {
    this.#groupVersions ??= this.#listGroupVersions();
    this.#groupVersions.catch(() => {
      this.#groupVersions = undefined;
    });
    const lists = (await this.#groupVersions).map((apiVersion) => this.resources(apiVersion).catch(() => []));
    return (await Promise.all(lists)).flat();
  }

  /**
   * Returns the resource of a kind.
   *
   * @throws Error if the server doesn't serve it
   */
  async resourceOf(apiVersion: string, kind: string): Promise<KubeResource> {
    const find = async () => (await this.resources(apiVersion)).find((kubeResource) => kubeResource.kind === kind);
    let resource = await find().catch((error: unknown) => {
      if (statusOf(error) === 404) return undefined;
      throw error;
    });
    if (!resource) {
      this.#resources.delete(apiVersion);
      resource = await find().catch(() => undefined);
    }
    if (!resource) throw new Error(`no kind ${kind} in ${apiVersion} is served by the cluster`);
    return resource;
  }

  async get(resource: KubeResource, namespace: string, name: string): Promise<KubeObject> {
    return (await this.request({ method: "GET", path: pathOf(resource, namespace, name) })) as KubeObject;
  }

  async list(
    resource: KubeResource,
    namespace = "",
    query: KubeRequest["query"] = {},
    options: Pick<KubeRequest, "timeout"> = {},
  ): Promise<KubeObject[]> {
    const path = pathOf(resource, namespace);
    const list = (await this.request({ method: "GET", path, query, ...options })) as KubeObject & {
      items?: KubeObject[];
    };
    const apiVersion = apiVersionOf(resource);
    return (list.items ?? []).map((item) => ({ ...item, apiVersion, kind: resource.kind }));
  }

  async #listGroupVersions(): Promise<readonly string[]> {
    const { groups = [] } = (await this.request({ method: "GET", path: "/apis" })) as {
      groups?: { preferredVersion?: GroupVersionName; versions?: GroupVersionName[] }[];
    };
    const named = groups.flatMap(({ preferredVersion, versions = [] }) => [preferredVersion, ...versions]);
    return [...new Set(["v1", ...named.flatMap((groupVersionName) => groupVersionName?.groupVersion ?? [])])];
  }

  async #discover(apiVersion: string): Promise<readonly KubeResource[]> {
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources = [] } = (await this.request({ method: "GET", path })) as {
      resources?: DiscoveredResource[];
    };
    const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    return resources
      .filter(({ name }) => !name.includes("/"))
      .map(({ name, singularName = "", shortNames = [], kind, namespaced, verbs }) => ({
        group: group ?? "",
        version: version ?? "",
        kind,
        plural: name,
        singular: singularName,
        shortNames,
        namespaced,
        verbs,
        subresources: resources.flatMap((resource) =>
          resource.name.startsWith(`${name}/`) ? resource.name.slice(name.length + 1) : [],
        ),
      }));
  }
}

interface GroupVersionName {
  readonly groupVersion: string;
}

interface DiscoveredResource {
  readonly name: string;
  readonly singularName?: string;
  readonly shortNames?: string[];
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: string[];
}

/** Returns the group and version of a resource. */
export function apiVersionOf({ group, version }: Pick<KubeResource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Returns the path of a collection, an object or a subresource. */
export function pathOf(resource: KubeResource, namespace = "", name = "", subresource = ""): string {
  const { group, version, plural, namespaced } = resource;
  const base = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = namespaced && namespace !== "" ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  const rest = name === "" ? "" : `/${encodeURIComponent(name)}${subresource === "" ? "" : `/${subresource}`}`;
  return `${base}${scope}/${plural}${rest}`;
}
