import type { KubernetesObject, OwnerReference } from "../api/index.ts";
import type { AddOnlyQueue, AddOptions } from "../queue/queue.ts";
import type { Request } from "../request.ts";
import { createPriority, type EventHandler, reasonOf, updatePriority, updateReason } from "./event-handler.ts";

/** Which owners count. */
export interface OwnerHandlerOptions {
  /** Only the owner with `controller: true` counts. */
  onlyControllerOwner?: boolean;
}

/** What a handler has to know of the owners' kind. */
export interface OwnerKind {
  readonly group: string;
  readonly kind: string;
  /** Whether owners live in the namespace of what they own. */
  readonly namespaced: boolean;
}

/** Enqueues the owners of an event's object that are of the given kind; the version of the reference doesn't matter. */
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

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
