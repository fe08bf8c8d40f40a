import type { KubernetesObject } from "../api/index.ts";
import type { Context } from "../reconcile/context.ts";
import { addFinalizer, containsFinalizer, removeFinalizer } from "./finalizers.ts";

/** Changes of an object in memory, which the caller must write. */
export interface FinalizerResult {
  /** Whether `client.update` is required. */
  updated: boolean;
  /** Whether `client.status.update` is required. */
  statusUpdated: boolean;
}

/** Cleans up for an object that is being deleted. It can run more than once per object, so it must be idempotent. */
export interface Finalizer<T extends KubernetesObject = KubernetesObject> {
  /**
   * Cleans up. It may change the object.
   *
   * @param ctx - logger and abort signal of the reconcile
   * @param object - the object that is being deleted
   * @returns which parts of the object it changed
   * @throws any error to keep the finalizer
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most finalizers return nothing
  finalize(ctx: Context, object: T): Promise<Partial<FinalizerResult> | void>;
}

/** Reports that some finalizers failed. The changes of the others must be written nevertheless. */
export class FinalizersFailedError extends AggregateError implements FinalizerResult {
  /** Always `FinalizersFailedError`. */
  override readonly name = "FinalizersFailedError";
  /** Whether `client.update` is required. */
  readonly updated: boolean;
  /** Whether `client.status.update` is required. */
  readonly statusUpdated: boolean;

  /**
   * Creates an error.
   *
   * @param errors - the errors of the finalizers
   * @param keys - the keys of the finalizers
   * @param result - changes of the other finalizers
   */
  constructor(errors: readonly unknown[], keys: readonly string[], result: FinalizerResult) {
    super(errors, keys.map((key, index) => `finalizer ${key} failed: ${String(errors[index])}`).join("; "), {
      cause: errors[0],
    });
    this.updated = result.updated;
    this.statusUpdated = result.statusUpdated;
  }
}

/** Runs finalizers by their keys. */
export class Finalizers<T extends KubernetesObject = KubernetesObject> {
  readonly #finalizers = new Map<string, Finalizer<T>>();

  /**
   * Registers a finalizer.
   *
   * @param key - the finalizer's name in `metadata.finalizers`
   * @param finalizer - cleans up
   * @returns this registry
   * @throws Error if the key is already registered
   */
  register(key: string, finalizer: Finalizer<T>): this {
    if (this.#finalizers.has(key)) throw new Error(`the finalizer ${key} is already registered`);
    this.#finalizers.set(key, finalizer);
    return this;
  }

  /**
   * Adds missing keys to an object. If the object is being deleted, it runs the finalizers of its keys, in the order of
   * their registration, and removes the keys of those that succeed. A failure doesn't stop the others. It changes the
   * object in memory and writes nothing.
   *
   * @param ctx - logger and abort signal of the reconcile
   * @param object - the object to change
   * @returns which writes are required
   * @throws FinalizersFailedError if a finalizer failed
   */
  async finalize(ctx: Context, object: T): Promise<FinalizerResult> {
    const result: FinalizerResult = { updated: false, statusUpdated: false };
    const isDeleted = object.metadata?.deletionTimestamp !== undefined;
    const failed = new Map<string, unknown>();
    for (const [key, finalizer] of this.#finalizers) {
      if (!isDeleted) {
        result.updated = addFinalizer(object, key) || result.updated;
        continue;
      }
      if (!containsFinalizer(object, key)) continue;
      try {
        const changed = (await finalizer.finalize(ctx, object)) ?? {};
        removeFinalizer(object, key);
        result.updated = true;
        result.statusUpdated = changed.statusUpdated === true || result.statusUpdated;
      } catch (error) {
        failed.set(key, error);
      }
    }
    if (failed.size > 0) throw new FinalizersFailedError([...failed.values()], [...failed.keys()], result);
    return result;
  }
}

/**
 * Creates a registry of finalizers, with which independent parts of an operator clean up.
 *
 * @returns an empty registry
 *
 * @example
 * const finalizers = newFinalizers<Game>().register("example.com/scores", new ScoreFinalizer());
 * const { updated } = await finalizers.finalize(ctx, game);
 * if (updated) await client.update(game);
 */
export function newFinalizers<T extends KubernetesObject = KubernetesObject>(): Finalizers<T> {
  return new Finalizers<T>();
}
