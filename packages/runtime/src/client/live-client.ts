import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { interruptible } from "../clock/abort.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Logger } from "../log/logger.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { acceptFor, anyObject, listOf, metadataOf, storedObject } from "./answers.ts";
import { BaseClient } from "./base-client.ts";
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  LinesOptions,
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
} from "./client.ts";
import { namedAfter } from "./object-key.ts";
import type { Patch } from "./patch.ts";
import {
  applyQuery,
  deleteBody,
  listQuery,
  namespaceOf,
  type Query,
  selectorQuery,
  watchQuery,
  writeQuery,
} from "./queries.ts";
import {
  collectionPath,
  isKind,
  type KindReference,
  kindOf,
  objectPath,
  type Resource,
  Resources,
  requireNamespace,
} from "./resource.ts";
import { watchEvents } from "./watch.ts";

/** Options of {@link createLiveClient}. */
export interface LiveClientOptions {
  /** Connection to the API server. */
  transport: Transport;
  /** Finds the resources of kinds. */
  mapper: RestMapper;
  /**
   * Not used: the transport logs the server's warnings. It exists so that all clients are created with the same
   * options.
   *
   * @defaultValue none
   */
  logger?: Logger;
}

const APPLY = "application/apply-patch+yaml";

/**
 * Creates a client that sends every request to the API server, reads included.
 *
 * @param options - see {@link LiveClientOptions}
 * @returns the client
 *
 * @example
 * const transport = createTransport(config);
 * const client = createLiveClient({ transport, mapper: createRestMapper(transport) });
 * const game = await client.get(Game, { namespace: "default", name: "sample" });
 */
export function createLiveClient(options: LiveClientOptions): Client {
  return new LiveClient(options);
}

class LiveClient extends BaseClient {
  readonly status: SubResourceWriter;
  readonly #transport: Transport;
  readonly #resources: Resources;

  constructor({ transport, mapper }: LiveClientOptions) {
    super();
    this.#transport = transport;
    this.#resources = Resources.with(mapper);
    this.status = {
      update: (object, options) => this.#put(object, options ?? {}, "status"),
      patch: (object, patch, options) => this.#patch(object, patch, options ?? {}, "status"),
      apply: <T extends KubernetesObject>(object: T, options: ApplyOptions) => this.#apply(object, options, "status"),
    };
  }

  protected async getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: ReadOptions = {},
  ): Promise<Stored<T>> {
    const resource = await this.#resources.of(kind);
    const { metadataOnly, signal } = options;
    const accept = acceptFor(metadataOnly, "PartialObjectMetadata");
    const stored = await this.#stored<T>({ method: "GET", path: objectPath(resource, key), accept, signal }, resource);
    return metadataOnly ? asKind(stored, resource) : stored;
  }

  protected async listObjects<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions = {}): Promise<List<T>> {
    const resource = await this.#resources.of(kind);
    const path = collectionPath(resource, namespaceOf(options));
    const { metadataOnly, signal } = options;
    const accept = acceptFor(metadataOnly, "PartialObjectMetadataList");
    const request: TransportRequest = { method: "GET", path, query: listQuery(options), accept, signal };
    const { body } = await this.#transport.request(request);
    const list = listOf<T>(body, resource, describe(request));
    return metadataOnly ? { ...list, items: list.items.map((item) => asKind(item, resource)) } : list;
  }

  watch<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    const request = async (): Promise<TransportRequest> => {
      const resource = await this.#resources.of(kind);
      return { method: "GET", path: collectionPath(resource, namespaceOf(options)), query: watchQuery(options) };
    };
    return watchEvents<T>(this.#transport, request, options.allowWatchBookmarks === true, options.signal);
  }

  protected async createObject<T extends KubernetesObject>(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    const resource = await this.#resources.of(kindOf(object));
    const { namespace, name, generateName } = object.metadata ?? {};
    if (!name && !generateName)
      throw new TypeError(`${resource.kind}: the object has neither a name nor a generateName`);
    requireNamespace(resource, namespace, `"${name ?? generateName}"`);
    const path = collectionPath(resource, namespace);
    const query = writeQuery(options);
    return this.#stored({ method: "POST", path, query, body: object, signal: options.signal }, resource);
  }

  update<T extends KubernetesObject>(object: T, options: WriteOptions = {}): Promise<Stored<T>> {
    return this.#put(object, options);
  }

  patch<T extends KubernetesObject>(object: T, patch: Patch, options: WriteOptions = {}): Promise<Stored<T>> {
    return this.#patch(object, patch, options);
  }

  protected applyObject<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>> {
    return this.#apply(object, options);
  }

  protected async deleteObject(object: KubernetesObject, options?: DeleteOptions): Promise<void> {
    return this.#delete(kindOf(object), keyOf(object), options);
  }

  protected async deleteByKey(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    return this.#delete(kind, key, options);
  }

  async #delete(kind: KindReference, key: Partial<ObjectKey>, options: DeleteOptions = {}): Promise<void> {
    const resource = await this.#resources.of(kind);
    await this.#transport.request({
      method: "DELETE",
      path: objectPath(resource, key),
      body: deleteBody(options),
      signal: options.signal,
    });
  }

  async deleteAllOf<T extends KubernetesObject>(
    kind: Kind<T>,
    options: ListOptions & DeleteOptions = {},
  ): Promise<void> {
    const resource = await this.#resources.of(kind);
    const namespace = namespaceOf(options);
    requireNamespace(resource, namespace, "deleteAllOf");
    await this.#transport.request({
      method: "DELETE",
      path: collectionPath(resource, namespace),
      query: selectorQuery(options),
      body: deleteBody(options),
      signal: options.signal,
    });
  }

  async isObjectNamespaced(of: Kind | KubernetesObject): Promise<boolean> {
    return (await this.#resources.of(isKind(of) ? of : kindOf(of))).namespaced;
  }

  subResource(name: string): SubResourceClient {
    const send = async <R>(
      method: "GET" | "POST" | "PUT" | "PATCH",
      object: KubernetesObject,
      rest: Partial<TransportRequest> = {},
    ): Promise<R> => {
      const resource = await this.#resources.of(kindOf(object));
      const request: TransportRequest = { method, path: objectPath(resource, keyOf(object), name), ...rest };
      const { body } = await this.#transport.request(request);
      return anyObject<R>(body, describe(request));
    };
    const write = (options: WriteOptions = {}): Partial<TransportRequest> => ({
      query: writeQuery(options),
      signal: options.signal,
    });
    return {
      get: (object) => send("GET", object),
      create: async (object, body, options) =>
        send("POST", object, { body: namedAfter(object, body), ...write(options) }),
      update: (object, body, options) =>
        send("PUT", object, { body: namedAfter(object, body ?? object), ...write(options) }),
      patch: (object, patch, options) =>
        send("PATCH", object, { body: patch.data(object), contentType: patch.type, ...write(options) }),
      apply: async (object, body, options) =>
        send("PATCH", object, {
          body: namedAfter(object, body),
          contentType: APPLY,
          query: applyQuery(options),
          signal: options.signal,
        }),
      lines: (object, { query, signal } = {}) =>
        interruptible(signal, (limit) => this.#lines(name, object, query, limit)),
    };
  }

  async *#lines(
    subresource: string,
    object: KubernetesObject,
    query: LinesOptions["query"],
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    if (signal.aborted) return;
    const resource = await this.#resources.of(kindOf(object));
    const path = objectPath(resource, keyOf(object), subresource);
    try {
      // Kubelets respond with text; servers respond with a Status on failure.
      const stream = await this.#transport.stream({ method: "GET", path, query, accept: "*/*", signal });
      for await (const line of stream) yield line as string;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #put<T extends KubernetesObject>(object: T, options: WriteOptions, subresource?: string): Promise<Stored<T>> {
    return this.#write("PUT", object, object, undefined, writeQuery(options), options.signal, subresource);
  }

  async #patch<T extends KubernetesObject>(
    object: T,
    patch: Patch,
    options: WriteOptions,
    subresource?: string,
  ): Promise<Stored<T>> {
    const data = patch.data(object);
    return this.#write("PATCH", object, data, patch.type, writeQuery(options), options.signal, subresource);
  }

  async #apply<T extends KubernetesObject>(object: T, options: ApplyOptions, subresource?: string): Promise<Stored<T>> {
    return this.#write("PATCH", object, object, APPLY, applyQuery(options), options.signal, subresource);
  }

  async #write<T extends KubernetesObject>(
    method: "PUT" | "PATCH",
    object: T,
    body: unknown,
    contentType: string | undefined,
    query: Query,
    signal: AbortSignal | undefined,
    subresource: string | undefined,
  ): Promise<Stored<T>> {
    const resource = await this.#resources.of(kindOf(object));
    const path = objectPath(resource, keyOf(object), subresource);
    try {
      return await this.#stored({ method, path, query, body, contentType, signal }, resource);
    } catch (error) {
      throw subresource === "status" ? await this.#statusError(error, resource, object) : error;
    }
  }

  /**
   * Extends a 404 error if the kind has no status subresource. Servers respond identically if the object is missing, so the
   * object is read to distinguish the two cases. Another object of the same name can exist by then.
   */
  async #statusError(error: unknown, resource: Resource, object: KubernetesObject): Promise<unknown> {
    if (!(error instanceof ApiError) || error.code !== 404) return error;
    const accept = acceptFor(true, "PartialObjectMetadata");
    const stored = this.#stored({ method: "GET", path: objectPath(resource, keyOf(object)), accept }, resource);
    const uid = object.metadata?.uid;
    const isThere = await stored.then(
      ({ metadata }) => uid === undefined || metadata.uid === uid,
      () => false,
    );
    if (!isThere) return error;
    const hint = "to add it to your own kind, write +kubebuilder:subresource:status above the type";
    const message = `${error.message}: ${resource.kind} has no status subresource (${hint})`;
    return new ApiError({ ...error.status, message }, { cause: error });
  }

  async #stored<T extends KubernetesObject>(request: TransportRequest, resource: Resource): Promise<Stored<T>> {
    const { body } = await this.#transport.request(request);
    return storedObject<T>(body, resource, describe(request));
  }
}

/**
 * Converts metadata, which is returned as PartialObjectMetadata, to the requested kind. Servers without this format return
 * whole objects.
 */
function asKind<T extends KubernetesObject>(object: Stored<T>, { apiVersion, kind }: Resource): Stored<T> {
  return { ...metadataOf(object), apiVersion, kind };
}

function keyOf(object: KubernetesObject): { namespace?: string; name?: string } {
  return { namespace: object.metadata?.namespace, name: object.metadata?.name };
}

function describe(request: TransportRequest): string {
  return `${request.method} ${request.path}`;
}
