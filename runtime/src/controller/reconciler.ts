import type { Context } from "../context.ts";
import type { Request } from "../request.ts";

/** What is to happen after a reconcile that went well. Nothing: it is done until the next event. */
export interface Result {
  /** Milliseconds until the next reconcile. */
  requeueAfter?: number;
  /** Again, with growing delays as after an error, but without being one. */
  requeue?: boolean;
  /** Priority of the next reconcile; that of this one by default. */
  priority?: number;
}

/** Brings the world closer to what an object asks for. */
export interface Reconciler<R = Request> {
  /**
   * Called with what is to be looked at, never twice at a time for the same. `ctx.signal` aborts when the controller stops. Throwing
   * means: try again, later and later; a {@link TerminalError} isn't tried again.
   *
   * @returns when to reconcile again. Declare your method as `Promise<Result | undefined>`, or as `Promise<void>` if it never returns a
   * result: linters refuse `void` in a union
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a reconcile that has nothing to say returns nothing.
  reconcile(ctx: Context, request: R): Promise<Result | void>;
}
