import type { KindUse, UnitTestServer } from "@kubewright/apiserver";
import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
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
import { createLiveClient } from "../client/live-client.ts";
import type { Patch } from "../client/patch.ts";
import { isKind, type KindReference, kindOf } from "../client/resource.ts";
import { interruptible } from "../clock/abort.ts";
import { ApiError } from "../errors/api-error.ts";
import { NoMatchError } from "../errors/no-match-error.ts";
import { deepFreeze } from "../json/freeze.ts";
import { inProcessTransport } from "./in-process-transport.ts";

/** The client of a server in this process. The server serves each kind from its first use. */
export class InProcessClient extends BaseClient {
  readonly status: SubResourceWriter;
  readonly #open: () => Promise<UnitTestServer>;
  readonly #live: Client;

  /** @param open - returns the server; called with each request */
  constructor(open: () => Promise<UnitTestServer>) {
    super();
    this.#open = open;
    this.#live = createLiveClient({
      transport: inProcessTransport(async () => (await open()).handle),
      mapper: {
        mapping: async (group, version, kind) => {
          const resource = (await open()).resource({ group, version, kind });
          if (resource === undefined) throw new NoMatchError(group, version, kind);
          return resource;
        },
      },
    });
    const { status } = this.#live;
    const write = async <R>(object: KubernetesObject, call: () => Promise<R>): Promise<R> => {
      try {
        return await this.#write(object, call);
      } catch (error) {
        throw statusError(error, object);
      }
    };
    this.status = {
      update: (object, options) => write(object, () => status.update(object, options)),
      patch: (object, patch, options) => write(object, () => status.patch(object, patch, options)),
      apply: <T extends KubernetesObject>(object: T, options: ApplyOptions) =>
        write(object, () => status.apply<T>(object as never, options)),
    };
  }

  protected async getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: ReadOptions = {},
  ): Promise<Stored<T>> {
    await this.#use(kind, Boolean(key?.namespace));
    const object = (await this.#live.get(kind, key, options)) as Stored<T>;
    return options.shared ? deepFreeze(object) : object;
  }

  protected async listObjects<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions = {}): Promise<List<T>> {
    await this.#use(kind, options.namespace ? true : undefined);
    const list = (await selecting(kind, () => this.#live.list(kind, options))) as List<T>;
    return options.shared ? { ...list, items: list.items.map((item) => deepFreeze(item)) } : list;
  }

  watch<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    return interruptible(options.signal, (signal) => this.#watch(kind, { ...options, signal }));
  }

  async *#watch<T extends KubernetesObject>(
    kind: Kind<T>,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    await this.#use(kind, options.namespace ? true : undefined);
    try {
      yield* this.#live.watch(kind, options);
    } catch (error) {
      throw selectionError(error, kind);
    }
  }

  protected createObject<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.#write(object, () => this.#live.create(object, options));
  }

  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.#write(object, () => this.#live.update(object, options));
  }

  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>> {
    return this.#write(object, () => this.#live.patch(object, patch, options));
  }

  protected applyObject<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>> {
    return this.#write(object, () => this.#live.apply<T>(object as never, options));
  }

  protected deleteObject(object: KubernetesObject, options?: DeleteOptions): Promise<void> {
    return this.#write(object, () => this.#live.delete(object, options));
  }

  protected async deleteByKey(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    await this.#use(kind, Boolean(key?.namespace));
    return this.#live.delete(kind, key, options);
  }

  async deleteAllOf<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & DeleteOptions): Promise<void> {
    await this.#use(kind, options?.namespace ? true : undefined);
    return selecting(kind, () => this.#live.deleteAllOf(kind, options));
  }

  async isObjectNamespaced(of: Kind | KubernetesObject): Promise<boolean> {
    await this.#use(isKind(of) ? of : kindOf(of), undefined);
    return this.#live.isObjectNamespaced(of);
  }

  subResource(name: string): SubResourceClient {
    const live = this.#live.subResource(name);
    return {
      get: (object) => this.#write(object, () => live.get(object)),
      create: (object, body, options) => this.#write(object, () => live.create(object, body, options)),
      update: (object, body, options) => this.#write(object, () => live.update(object, body, options)),
      patch: (object, patch, options) => this.#write(object, () => live.patch(object, patch, options)),
      apply: (object, body, options) => this.#write(object, () => live.apply(object, body, options)),
      lines: (object, options) => live.lines(object, options),
    };
  }

  async #write<R>(object: KubernetesObject, call: () => Promise<R>): Promise<R> {
    await this.#use(kindOf(object), Boolean(object.metadata?.namespace));
    return call();
  }

  async #use({ group, version, kind, plural, scope }: KindReference, inNamespace: boolean | undefined): Promise<void> {
    const use: KindUse = {
      group,
      version,
      kind,
      ...(plural ? { plural } : {}),
      ...(scope ? { scope } : {}),
      ...(inNamespace === undefined ? {} : { inNamespace }),
    };
    (await this.#open()).resource(use);
  }
}

/** Adds how to select by other fields to the error of a list. */
async function selecting<R>(kind: Kind, call: () => Promise<R>): Promise<R> {
  try {
    return await call();
  } catch (error) {
    throw selectionError(error, kind);
  }
}

function selectionError(error: unknown, { kind }: Kind): unknown {
  if (!(error instanceof ApiError) || error.code !== 400) return error;
  const field = /^field label not supported: (\S+)$|^"([^"]+)" is not a known field selector/.exec(error.message);
  if (field === null) return error;
  const index = `{ kind: ${kind}, field: "${field[1] ?? field[2]}", values }`;
  const message = `${error.message}; to select ${kind} by it, add ${index} to the \`indexes\` of fakeClient`;
  return new ApiError({ ...error.status, message }, { cause: error });
}

/** Adds how to declare the status of a kind to the error of a write of its status. */
function statusError(error: unknown, { kind }: KubernetesObject): unknown {
  if (!(error instanceof ApiError) || !error.message.includes("has no status subresource")) return error;
  const message = `${error.message}; give fakeClient its CRD, or { statusSubresource: [${kind}] }`;
  return new ApiError({ ...error.status, message }, { cause: error });
}
