import type { KubernetesObject } from "../api/index.ts";
import type { Stored } from "../client/client.ts";
import type { Declaration } from "./declaration.ts";
import type { Outcome } from "./outcome.ts";
import type { OwnerSet } from "./owner-set.ts";
import type { Inputs } from "./wanted.ts";

/** Observes the sets of a manager. Simulations use it to check them. */
export interface ChildrenObserver {
  /** The field manager that the server records for writes that set none. */
  readonly defaultFieldManager: string;
  /** Observes a reconcile that begins. */
  begin(reconcile: ObservedReconcile): ReconcileObserver;
}

/** A reconcile of the children of one owner. */
export interface ObservedReconcile {
  readonly declaration: Declaration;
  readonly set: OwnerSet;
  /** The field managers whose fields the first apply takes over. */
  readonly migrateFrom: readonly string[];
  readonly inputs: Inputs;
}

/** Receives the events of one reconcile. */
export interface ReconcileObserver {
  /** Called before a write, and before a read from the server. */
  requested(request: string): void;
  /** Receives the objects that the owner controls, as the cache contains them. */
  saw(objects: readonly Stored<KubernetesObject>[]): void;
  /** Called when the reconcile has ended, unless it throws. */
  ended(outcomes: readonly Outcome[]): void;
}
