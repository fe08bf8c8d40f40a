import type { Context } from "./context.ts";
import type { Request } from "./request.ts";

/** Defines what happens after a successful reconcile. An empty result waits for the next event. */
export interface Result {
  /** Milliseconds until the next reconcile. The back-off of the request is reset. */
  requeueAfter?: number;
  /** Reconciles again with the growing delays of a failure, but without counting as an error. */
  requeue?: boolean;
  /**
   * Priority of the next reconcile. Higher goes first.
   *
   * @defaultValue the priority of this reconcile
   */
  priority?: number;
}

/**
 * Moves the cluster towards the desired state of an object. It must be idempotent and level-based.
 *
 * @example
 * class GameReconciler implements Reconciler {
 *   readonly client: Client;
 *   constructor(client: Client) {
 *     this.client = client;
 *   }
 *   async reconcile(ctx: Context, { namespace, name }: Request): Promise<Result | undefined> {
 *     const game = await ignoreNotFound(this.client.get(Game, { namespace, name }));
 *     if (!game) return;
 *     ctx.log.info("Reconciling", { replicas: game.spec.replicas });
 *     return { requeueAfter: 60_000 };
 *   }
 * }
 */
export interface Reconciler<R = Request> {
  /**
   * Reconciles a request. One request is never reconciled twice at the same time.
   *
   * @param ctx - logger, abort signal and reasons; `ctx.signal` aborts when the controller stops
   * @param request - names the object to reconcile
   * @returns when to reconcile again. Declare your method as `Promise<Result | undefined>`, or as `Promise<void>` if it
   * never returns a result: linters refuse `void` in a union
   * @throws any error to retry with back-off, or a {@link TerminalError}, which isn't retried
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most reconcilers return nothing.
  reconcile(ctx: Context, request: R): Promise<Result | void>;
}
