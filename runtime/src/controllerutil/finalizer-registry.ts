import type { KubernetesObject } from "../api/index.ts";
import type { Context } from "../context.ts";
import { addFinalizer, containsFinalizer, removeFinalizer } from "./finalizers.ts";

/** What was changed of an object in memory; writing it is up to the caller. */
export interface FinalizerResult {
  /** `client.update` is due. */
  updated: boolean;
  /** `client.status.update` is due. */
  statusUpdated: boolean;
}

/** Cleans up for an object that is being deleted. It may run more than once for one object. */
export interface Finalizer<T extends KubernetesObject = KubernetesObject> {
  /** May change the object, and says whether it did. Throwing keeps the finalizer. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most have nothing to say
  finalize(ctx: Context, object: T): Promise<Partial<FinalizerResult> | void>;
}

/** Some finalizers failed. What the others changed is to be written all the same. */
export class FinalizersFailedError extends AggregateError implements FinalizerResult {
  override readonly name = "FinalizersFailedError";
  readonly updated: boolean;
  readonly statusUpdated: boolean;

  constructor(errors: readonly unknown[], keys: readonly string[], result: FinalizerResult) {
    super(errors, keys.map((key, index) => `finalizer ${key} failed: ${String(errors[index])}`).join("; "), {
      cause: errors[0],
    });
    this.updated = result.updated;
    this.statusUpdated = result.statusUpdated;
  }
}

/** Finalizers by their keys. */
export class Finalizers<T extends KubernetesObject = KubernetesObject> {
  readonly #finalizers = new Map<string, Finalizer<T>>();

  /** Throws when the key is taken. */
  register(key: string, finalizer: Finalizer<T>): this {
    if (this.#finalizers.has(key)) throw new Error(`a finalizer for ${key} is registered already`);
    this.#finalizers.set(key, finalizer);
    return this;
  }

  /**
   * Adds the registered keys that the object lacks; where it is being deleted, runs those that it has, in the order of their
   * registration, and takes off each whose run succeeded. All are run even if one fails, then it rejects with a
   * {@link FinalizersFailedError}. Changes the object, writes nothing.
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
 * A registry of finalizers: cleaning up in parts that know nothing of each other.
 *
 * @example
 * const finalizers = newFinalizers<Game>().register("example.com/scores", new ScoreFinalizer());
 * const { updated } = await finalizers.finalize(ctx, game);
 * if (updated) return void (await client.update(game));
 */
export function newFinalizers<T extends KubernetesObject = KubernetesObject>(): Finalizers<T> {
  return new Finalizers<T>();
}
