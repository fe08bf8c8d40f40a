import { AsyncLocalStorage } from "node:async_hooks";
import type { ActiveReconcile } from "./active-reconcile.ts";

/** The reconcile that calls a client or a logger, and whether its read of the cache was answered by the server. */
export interface InspectedScope {
  readonly reconcile: ActiveReconcile;
  /** Set within a read of the cache. */
  read?: { fromServer: boolean };
  /** Set while the manager's own client sends a request, which isn't a call of another system. */
  readonly isApiRequest?: boolean;
}

/** Attributes reads, writes and log lines to the reconcile that caused them. */
export const inspectedScope: AsyncLocalStorage<InspectedScope> = new AsyncLocalStorage<InspectedScope>();
