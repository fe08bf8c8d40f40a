import type { KubernetesObject } from "../../api/index.ts";
import { groupOf } from "../../api/kind.ts";
import type { ChildrenObserver, ObservedReconcile } from "../../children/observer.ts";
import type { Outcome } from "../../children/outcome.ts";
import type { Actor } from "../schedule/actor.ts";
import { idOf } from "./state.ts";

/** The last reconcile of the children of an owner. */
export interface ReconciledSet extends ObservedReconcile {
  readonly actor: Actor;
  /** The managers whose fields belong to the operator. */
  readonly ownManagers: ReadonlySet<string>;
  /** Revision of the server at the begin. */
  readonly begun: number;
  /** The requests that the reconcile has sent. */
  readonly requests: readonly string[];
  /** The objects that the owner controls, as the process has read them, by their ids. */
  readonly seen: ReadonlyMap<string, KubernetesObject>;
  /** Unset until it has ended, and if it has thrown an error. */
  readonly outcomes: readonly Outcome[] | undefined;
}

/** Records the reconciles of all sets of children. */
export class ChildrenSets {
  /** The last reconcile of each set, by owner and field manager. */
  readonly #last = new Map<string, ReconciledSet>();
  readonly #listeners: ((set: ReconciledSet) => void)[] = [];

  /** The last reconcile of each set. */
  get all(): Iterable<ReconciledSet> {
    return this.#last.values();
  }

  /** Whether any set was reconciled. */
  get isUsed(): boolean {
    return this.#last.size > 0;
  }

  /** Calls a function whenever a reconcile has ended. */
  onEnded(listener: (set: ReconciledSet) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Returns the observer of a manager.
   *
   * @param actor - the process
   * @param defaultFieldManager - the field manager of its writes that set none
   * @param revision - returns the present revision of the server
   */
  observer(actor: Actor, defaultFieldManager: string, revision: () => number): ChildrenObserver {
    return {
      defaultFieldManager,
      begin: (reconcile) => {
        const { fieldOwner, creator } = reconcile.declaration;
        const requests: string[] = [];
        const seen = new Map<string, KubernetesObject>();
        const ownManagers = new Set([fieldOwner, creator, defaultFieldManager, ...reconcile.migrateFrom]);
        const begun: ReconciledSet = {
          ...reconcile,
          ...{ actor, ownManagers, requests, seen, begun: revision(), outcomes: undefined },
        };
        const key = `${reconcile.set.uid}/${fieldOwner}`;
        if (!actor.isEnded) this.#last.set(key, begun);
        return {
          requested: (request) => requests.push(request),
          saw: (objects) => {
            for (const object of objects) {
              const { apiVersion, kind, metadata } = object;
              seen.set(idOf({ group: groupOf(apiVersion), kind }, metadata), object);
            }
          },
          ended: (outcomes) => {
            if (actor.isEnded) return;
            const ended = { ...begun, outcomes };
            this.#last.set(key, ended);
            for (const listener of this.#listeners) listener(ended);
          },
        };
      },
    };
  }
}
