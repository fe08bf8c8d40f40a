/** A reconcile that may start. */
export interface StartedReconcile {
  /** Aborts with the signal of the controller, and when the range of the object must move. */
  readonly signal: AbortSignal;
  /** Call it when the reconcile has ended. */
  end(): void;
}

/** Decides whether this process reconciles an object, if replicas share the objects of a controller. */
export interface ShardGate<R> {
  /** Returns whether a request can belong to this process. Others are dropped before the queue. */
  admits(request: R): boolean;
  /**
   * Starts a reconcile. Returns `later` while it isn't decided who owns the object, and `other` if another replica does.
   *
   * @param request - the request
   * @param signal - the signal of the controller
   */
  begin(
    request: R,
    signal: AbortSignal,
  ): Promise<StartedReconcile | "later" | "other"> | StartedReconcile | "later" | "other";
}
