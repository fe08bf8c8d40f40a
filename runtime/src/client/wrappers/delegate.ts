import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../kind.ts";
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
  WholeObjects,
  WriteOptions,
} from "../client.ts";
import type { ApplyConfiguration, MetadataOnly, ObjectBody } from "../object-types.ts";
import type { Patch } from "../patch.ts";
import { isKind, objectAndOptions } from "../resource.ts";

/** Hands every call on to another client. Wrappers override what they change. */
export class DelegatingClient implements Client {
  protected readonly inner: Client;

  constructor(inner: Client) {
    this.inner = inner;
  }

  get status(): SubResourceWriter {
    return this.inner.status;
  }

  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions & WholeObjects,
  ): Promise<Stored<T>>;
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<MetadataOnly<T>>>;
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: ReadOptions): Promise<Stored<T>> {
    return this.getObject(kind, key, options);
  }

  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & WholeObjects): Promise<List<T>>;
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<MetadataOnly<T>>>;
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>> {
    return this.listObjects(kind, options);
  }

  create<T extends KubernetesObject>(
    kind: Kind<T>,
    body: NoInfer<ObjectBody<T>>,
    options?: WriteOptions,
  ): Promise<Stored<T>>;
  create<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  create<T extends KubernetesObject>(
    first: Kind<T> | T,
    second?: ObjectBody<T> | WriteOptions,
    third?: WriteOptions,
  ): Promise<Stored<T>> {
    if (!isKind(first)) return this.createObject(first, second as WriteOptions | undefined);
    const create = async (): Promise<Stored<T>> => this.createObject(...objectAndOptions(first, second, third));
    return create();
  }

  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.inner.update(object, options);
  }

  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>> {
    return this.inner.patch(object, patch, options);
  }

  apply<T extends KubernetesObject = never>(object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Stored<T>>;
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>>;
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>> {
    return this.applyObject(object, options);
  }

  delete(object: KubernetesObject, options?: DeleteOptions): Promise<void>;
  delete<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  delete(target: KubernetesObject | Kind, second?: ObjectKey | DeleteOptions, third?: DeleteOptions): Promise<void> {
    return isKind(target)
      ? this.deleteByKey(target, second as ObjectKey, third)
      : this.deleteObject(target, second as DeleteOptions | undefined);
  }

  deleteAllOf<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & DeleteOptions): Promise<void> {
    return this.inner.deleteAllOf(kind, options);
  }

  watch<T extends KubernetesObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>> {
    return this.inner.watch(kind, options);
  }

  subResource(name: string): SubResourceClient {
    return this.inner.subResource(name);
  }

  isObjectNamespaced(of: Kind | KubernetesObject): Promise<boolean> {
    return this.inner.isObjectNamespaced(of);
  }

  /** Both forms of {@link get}. */
  protected getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options: ReadOptions | undefined,
  ): Promise<Stored<T>> {
    // Its type is that of whole objects here: the overloads narrow it.
    return this.inner.get(kind, key, options as WholeObjects);
  }

  /** Both forms of {@link list}. */
  protected listObjects<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions | undefined): Promise<List<T>> {
    return this.inner.list(kind, options as WholeObjects);
  }

  /** Both forms of {@link create}. */
  protected createObject<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.inner.create(object, options);
  }

  /** Both forms of {@link apply}. */
  protected applyObject<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>> {
    return this.inner.apply(object, options);
  }

  /** The first form of {@link delete}. */
  protected deleteObject(object: KubernetesObject, options: DeleteOptions | undefined): Promise<void> {
    return this.inner.delete(object, options);
  }

  /** The second form of {@link delete}. */
  protected deleteByKey(kind: Kind, key: ObjectKey, options: DeleteOptions | undefined): Promise<void> {
    return this.inner.delete(kind, key, options);
  }
}
