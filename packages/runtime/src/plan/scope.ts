import { AsyncLocalStorage } from "node:async_hooks";
import type { PlannedRef, PlannedWrite } from "../session/plan.ts";

/** A reconcile of a plan. */
export interface PlanScope {
  readonly controller: string;
  readonly object: PlannedRef;
  readonly reasons: PlannedWrite["reasons"];
  /** Number of writes that changed something. */
  changes: number;
  /** The fields that the last write changed. */
  changed: readonly string[];
  /** The errors that are listed as failures of writes: the reconcile that throws one isn't listed, too. */
  readonly reported: WeakSet<object>;
  /** The end of the reconcile, after a call of an external system that has no result. */
  end?: Error;
}

/** Attributes requests and calls to the reconcile that makes them. */
export const planScope: AsyncLocalStorage<PlanScope> = new AsyncLocalStorage<PlanScope>();

/** The stack trace of a client's caller, which awaits within the client cut off. */
export const callSite: AsyncLocalStorage<string | undefined> = new AsyncLocalStorage<string | undefined>();
