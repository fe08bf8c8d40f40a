import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { Reader, Stored } from "../client/client.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import type { Context } from "../reconcile/context.ts";
import type { Reconciler, Result } from "../reconcile/reconciler.ts";

/** Reconciles an object that was read before: a private copy. */
export interface ObjectReconciler<T extends KubernetesObject> {
  /**
   * Reconciles an object, like {@link Reconciler.reconcile}.
   *
   * @param ctx - logger, abort signal and reasons
   * @param object - a private copy of the object
   * @returns when to reconcile again
   * @throws any error to retry with back-off, or a {@link TerminalError}, which isn't retried
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most reconcilers return nothing.
  reconcile(ctx: Context, object: Stored<T>): Promise<Result | void>;
}

/**
 * Creates a reconciler that first reads the object of each request. Requests for objects that don't exist succeed
 * without a call.
 *
 * @param client - reads the objects
 * @param kind - the kind of the objects
 * @param reconciler - receives the objects
 * @returns a reconciler for {@link ControllerBuilder.complete}
 *
 * @example
 * await newControllerManagedBy(mgr).for(Game).complete(
 *   asReconciler(mgr.client, Game, { reconcile: async (ctx, game) => ctx.log.info("Reconciling", { replicas: game.spec.replicas }) }),
 * );
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
