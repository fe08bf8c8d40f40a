import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  List,
  ListOptions,
  ObjectKey,
  Reader,
  ReadOptions,
  Stored,
  WriteOptions,
} from "../client/client.ts";
import type { Patch } from "../client/patch.ts";
import { DelegatingClient } from "../client/wrappers/delegate.ts";
import type { ChildReader } from "./child-reader.ts";
import type { ReconcileObserver } from "./observer.ts";
import type { OwnerSet } from "./owner-set.ts";
import type { Run } from "./run.ts";

/** Returns a run whose requests are observed. */
export function observed(run: Run, observer: ReconcileObserver): Run {
  return {
    ...run,
    client: new ObservedClient(run.client, observer),
    reader: new ObservedReader(run.reader, observer),
  };
}

class ObservedReader implements ChildReader {
  readonly live: Reader;
  readonly #inner: ChildReader;
  readonly #observer: ReconcileObserver;

  constructor(inner: ChildReader, observer: ReconcileObserver) {
    this.#inner = inner;
    this.#observer = observer;
    this.live = new ObservedClient(inner.live as Client, observer);
  }

  async owned(kind: Kind, set: OwnerSet): ReturnType<ChildReader["owned"]> {
    const objects = await this.#inner.owned(kind, set);
    this.#observer.saw(objects ?? []);
    return objects;
  }

  get(kind: Kind, key: ObjectKey): ReturnType<ChildReader["get"]> {
    return this.#inner.get(kind, key);
  }
}

class ObservedClient extends DelegatingClient {
  readonly #observer: ReconcileObserver;

  constructor(inner: Client, observer: ReconcileObserver) {
    super(inner);
    this.#observer = observer;
  }

  protected override getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<T>> {
    this.#observer.requested(`get ${kind.kind} ${key.name}`);
    return super.getObject(kind, key, options);
  }

  protected override listObjects<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>> {
    this.#observer.requested(`list ${kind.kind}`);
    return super.listObjects(kind, options);
  }

  override patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>> {
    this.#wrote("patch", object);
    return super.patch(object, patch, options);
  }

  protected override createObject<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    this.#wrote("create", object);
    return super.createObject(object, options);
  }

  protected override applyObject<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>> {
    this.#wrote("apply", object);
    return super.applyObject(object, options);
  }

  protected override deleteByKey(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    this.#observer.requested(`delete ${kind.kind} ${key.name}`);
    return super.deleteByKey(kind, key, options);
  }

  #wrote(verb: string, { kind, metadata }: KubernetesObject): void {
    this.#observer.requested(`${verb} ${kind} ${metadata?.name ?? ""}`);
  }
}
