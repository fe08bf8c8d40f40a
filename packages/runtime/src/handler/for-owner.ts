import type { KubernetesObject, OwnerReference } from "../api/index.ts";
import { groupOf } from "../api/kind.ts";
import type { AddOnlyQueue, AddOptions } from "../queue/queue.ts";
import type { Request } from "../reconcile/request.ts";
import { createPriority, type EventHandler, reasonOf, updatePriority, updateReason } from "./event-handler.ts";

/** Options of {@link enqueueRequestForOwner}. */
export interface OwnerHandlerOptions {
  /**
   * Enqueues only the owner with `controller: true`.
   *
   * @defaultValue false
   */
  onlyControllerOwner?: boolean;
}

/** The kind of the owners. */
export interface OwnerKind {
  /** API group, `""` for the core group. */
  readonly group: string;
  /** Name of the kind. */
  readonly kind: string;
  /** Whether the kind is namespaced: such owners are in the namespace of the objects that they own. */
  readonly namespaced: boolean;
}

/**
 * Creates a handler that enqueues the owners of an event's object that have the given kind, in any version.
 *
 * @param owner - kind of the owners
 * @param options - see {@link OwnerHandlerOptions}
 * @returns the handler: the one of `.owns(Kind)`
 */
export function enqueueRequestForOwner(owner: OwnerKind, options: OwnerHandlerOptions = {}): EventHandler {
  const onlyController = options.onlyControllerOwner ?? false;

  function ownersOf(object: KubernetesObject): Request[] {
    const references = object.metadata?.ownerReferences ?? [];
    const namespace = owner.namespaced ? (object.metadata?.namespace ?? "") : "";
    return references
      .filter((reference) => matches(reference) && (!onlyController || reference.controller === true))
      .map((reference) => ({ namespace, name: reference.name }));
  }

  function matches(reference: OwnerReference): boolean {
    return reference.kind === owner.kind && groupOf(reference.apiVersion) === owner.group;
  }

  function addAll(objects: readonly KubernetesObject[], queue: AddOnlyQueue<Request>, add: AddOptions): void {
    const seen = new Set<string>();
    for (const request of objects.flatMap(ownersOf)) {
      if (seen.has(request.name)) continue;
      seen.add(request.name);
      queue.add(request, add);
    }
  }

  return {
    create(_ctx, event, queue) {
      addAll([event.object], queue, { priority: createPriority(event), reason: reasonOf("create", event.object) });
    },
    update(_ctx, event, queue) {
      const add = { priority: updatePriority(event), reason: updateReason(event) };
      addAll([event.oldObject, event.object], queue, add);
    },
    delete(_ctx, event, queue) {
      addAll([event.object], queue, { reason: reasonOf("delete", event.object) });
    },
    generic(_ctx, event, queue) {
      addAll([event.object], queue, { reason: reasonOf("generic", event.object) });
    },
  };
}
