import type { KubernetesObject } from "../api/index.ts";
import type { Reader, Stored } from "../client/client.ts";
import type { Context } from "../context.ts";
import { ignoreNotFound } from "../errors/index.ts";
import type { Kind } from "../kind.ts";
import type { Reconciler, Result } from "./reconciler.ts";

/** Reconciles an object that was read already: a private copy. */
export interface ObjectReconciler<T extends KubernetesObject> {
  /** As {@link Reconciler}, with the object in place of its name. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a reconcile that has nothing to say returns nothing.
  reconcile(ctx: Context, object: Stored<T>): Promise<Result | void>;
}

/**
 * A reconciler that reads the object of each request first; where there is none any more, there is nothing to do.
 *
 * @example
 * await newControllerManagedBy(mgr).for(Game).complete(asReconciler(mgr.client, Game, new GameReconciler()));
 */
export function asReconciler<T extends KubernetesObject>(
  client: Reader,
  kind: Kind<T>,
  reconciler: ObjectReconciler<T>,
): Reconciler {
  return {
    async reconcile(ctx, { namespace, name }) {
      const object = await ignoreNotFound(client.get(kind, { namespace, name }));
      return object ? reconciler.reconcile(ctx, object) : undefined;
    },
  };
}
