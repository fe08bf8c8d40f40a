import type { KubernetesObject } from "../api/index.ts";
import { metadataOf } from "../client/answers.ts";
import { BaseClient } from "../client/base-client.ts";
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  List,
  ListOptions,
  ObjectKey,
  ReadOptions,
  Stored,
  SubResourceClient,
  SubResourceWriter,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "../client/client.ts";
import type { Patch } from "../client/patch.ts";
import { isKind, kindOf } from "../client/resource.ts";
import { readCRDs } from "../envtest/crds/read.ts";
import { deepFreeze } from "../json/freeze.ts";
import type { Kind } from "../kind.ts";
import { FakeServer } from "./fake-server.ts";
import { Kinds } from "./kinds.ts";
import type { FakeIndex } from "./selection.ts";
import { fakeSubResource } from "./sub-resource.ts";

/** Options of {@link fakeClient}. */
export interface FakeClientOptions {
  /**
   * Objects that exist at the start, including status and timestamps.
   *
   * @defaultValue none
   */
  objects?: readonly KubernetesObject[];
  /**
   * CustomResourceDefinitions, which define scope and subresources of their kinds. Objects are validated, defaulted and
   * pruned by their schemas like by an API server. CEL rules aren't evaluated.
   *
   * @defaultValue none
   */
  crds?: readonly KubernetesObject[];
  /**
   * Files and directories (without subdirectories) with CustomResourceDefinitions, such as `["config/crd/bases"]`.
   *
   * @defaultValue none
   */
  crdDirectoryPaths?: readonly string[];
  /**
   * Fields by which `list` and `watch` can select objects, besides metadata.name and metadata.namespace.
   *
   * @defaultValue none
   */
  indexes?: readonly FakeIndex[];
  /**
   * Custom kinds with a status subresource, if no CRD is set for them.
   *
   * @defaultValue none
   */
  statusSubresource?: readonly Kind[];
}

/**
 * Creates a client of an in-memory API server, for unit tests without processes. It implements the server's rules for
 * resource versions, conflicts, generations, finalizers, status subresources, selectors, watches, patches and field
 * ownership. Custom kinds with a CRD are validated, defaulted and pruned by their schemas, with the server's messages.
 *
 * It doesn't evaluate CEL, validate built-in kinds (apply treats their lists as atomic), run admission, enforce RBAC,
 * or run controllers: it collects no garbage and starts no Pods. Use a `TestEnvironment` for these.
 *
 * @param options - see {@link FakeClientOptions}
 * @returns the client
 *
 * @example
 * const client = fakeClient({ objects: [game], crdDirectoryPaths: ["config/crd/bases"] });
 * await new GameReconciler(client).reconcile(ctx, { namespace: "default", name: "sample" });
 * expect((await client.get(Game, { namespace: "default", name: "sample" })).status?.phase).toBe("Ready");
 */
export function fakeClient(options: FakeClientOptions = {}): Client {
  const { crds = [], crdDirectoryPaths = [] } = options;
  const read = readCRDs({ crds: [], crdDirectoryPaths, errorIfCRDPathMissing: true });
  const server = new FakeServer(new Kinds([...read, ...crds], options.statusSubresource ?? []), options.indexes ?? []);
  for (const object of options.objects ?? []) server.seed(kindOf(object), object);
  return new FakeClient(server);
}

class FakeClient extends BaseClient {
  readonly status: SubResourceWriter;
  readonly #server: FakeServer;

  constructor(server: FakeServer) {
    super();
    this.#server = server;
    this.status = {
      update: async <T extends KubernetesObject>(object: T, options?: WriteOptions) =>
        as<T>(server.update(kindOf(object), object, "status", checked(options))),
      patch: async <T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions) =>
        as<T>(server.patch(kindOf(object), object, patch, "status", checked(options))),
      apply: async <T extends KubernetesObject>(object: T, options: ApplyOptions) =>
        as<T>(server.apply(kindOf(object), object, "status", checked(options))),
    };
  }

  protected async getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: ReadOptions = {},
  ): Promise<Stored<T>> {
    checked(options);
    const found = this.#server.get(kind, key);
    const object = options.metadataOnly ? metadataOf(found) : found;
    return as<T>(options.shared ? deepFreeze(object) : object);
  }

  protected async listObjects<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions = {}): Promise<List<T>> {
    const { items: found, metadata } = this.#server.list(kind, checked(options));
    const items = options.metadataOnly ? found.map(metadataOf) : found;
    return { items: items.map((item) => as<T>(options.shared ? deepFreeze(item) : item)), metadata };
  }

  watch<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    return this.#server.watch<T>(kind, options);
  }

  protected async createObject<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return as<T>(this.#server.create(kindOf(object), object, checked(options)));
  }

  async update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return as<T>(this.#server.update(kindOf(object), object, "object", checked(options)));
  }

  async patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>> {
    return as<T>(this.#server.patch(kindOf(object), object, patch, "object", checked(options)));
  }

  protected async applyObject<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>> {
    return as<T>(this.#server.apply(kindOf(object), object, "object", checked(options)));
  }

  protected async deleteObject(object: KubernetesObject, options?: DeleteOptions): Promise<void> {
    const { namespace, name = "" } = object.metadata ?? {};
    checked(options);
    return this.#server.delete(kindOf(object), { namespace, name }, options);
  }

  protected async deleteByKey(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    return this.#server.delete(kind, key, checked(options));
  }

  async deleteAllOf<T extends KubernetesObject>(
    kind: Kind<T>,
    options: ListOptions & DeleteOptions = {},
  ): Promise<void> {
    if (this.#server.kinds.scope(kind) === "Namespaced" && !options.namespace) {
      throw new TypeError(`${kind.kind} deleteAllOf: a namespace is required, because the kind is namespaced`);
    }
    for (const { metadata } of this.#server.list(kind, checked(options)).items) {
      this.#server.delete(kind, metadata, options);
    }
  }

  /** Returns whether a kind is namespaced. Custom kinds are, unless a CRD or their `Kind` sets another scope. */
  async isObjectNamespaced(of: Kind | KubernetesObject): Promise<boolean> {
    return this.#server.kinds.scope(isKind(of) ? of : kindOf(of)) !== "Cluster";
  }

  subResource(name: string): SubResourceClient {
    return fakeSubResource(this.#server, name);
  }
}

// The store is untyped; the caller determines the type.
function as<T extends KubernetesObject>(object: KubernetesObject): Stored<T> {
  return object as Stored<T>;
}

// A request isn't sent if its signal has aborted.
function checked<O extends { signal?: AbortSignal }>(options: O | undefined): O {
  options?.signal?.throwIfAborted();
  return options ?? ({} as O);
}
