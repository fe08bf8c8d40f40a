import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
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
} from "./client.ts";
import type { ApplyConfiguration, MetadataOnly, NotAKind, ObjectBody } from "./object-types.ts";
import type { Patch } from "./patch.ts";
import { isKind, objectAndOptions } from "./resource.ts";

/** Declares the overloads of {@link Client}, and calls the protected method that implements each of them. */
export abstract class BaseClient implements Client {
  abstract readonly status: SubResourceWriter;

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

  create<T extends KubernetesObject>(object: T & NotAKind, options?: WriteOptions): Promise<Stored<T>>;
  create<T extends KubernetesObject>(
    kind: Kind<T>,
    body: NoInfer<ObjectBody<T>>,
    options?: WriteOptions,
  ): Promise<Stored<T>>;
  create<T extends KubernetesObject>(
    first: Kind<T> | T,
    second?: ObjectBody<T> | WriteOptions,
    third?: WriteOptions,
  ): Promise<Stored<T>> {
    if (!isKind(first)) return this.createObject(first, second as WriteOptions | undefined);
    const create = async (): Promise<Stored<T>> => this.createObject(...objectAndOptions(first, second, third));
    return create();
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

  abstract update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  abstract patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>>;
  abstract deleteAllOf<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & DeleteOptions): Promise<void>;
  abstract watch<T extends KubernetesObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  abstract subResource(name: string): SubResourceClient;
  abstract isObjectNamespaced(of: Kind | KubernetesObject): Promise<boolean>;

  /** Implements both overloads of {@link get}. */
  protected abstract getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<T>>;

  /** Implements both overloads of {@link list}. */
  protected abstract listObjects<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>>;

  /** Implements both overloads of {@link create}. */
  protected abstract createObject<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;

  /** Implements both overloads of {@link apply}. */
  protected abstract applyObject<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>>;

  /** Implements the first overload of {@link delete}. */
  protected abstract deleteObject(object: KubernetesObject, options?: DeleteOptions): Promise<void>;

  /** Implements the second overload of {@link delete}. */
  protected abstract deleteByKey(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void>;
}
