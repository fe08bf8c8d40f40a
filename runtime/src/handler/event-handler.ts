import type { KubernetesObject } from "../api/index.ts";
import type { Context, Reason } from "../context.ts";
import type { AddOnlyQueue } from "../queue/queue.ts";
import type { Request } from "../request.ts";
import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "./events.ts";

/**
 * Turns events into requests. The events of one object come one at a time, in order; objects don't wait for each other.
 *
 * An event is dropped if a handler throws. If its promise rejects, the event is retried: as long as it takes while the API server can't
 * be reached, else ten times within 30 s, unless the error is one that the language throws, such as a `TypeError`.
 */
export interface EventHandler<T extends KubernetesObject = KubernetesObject, R = Request> {
  /** An object is new: made, or there when the watch began. */
  create(ctx: Context, event: CreateEvent<T>, queue: AddOnlyQueue<R>): void | Promise<void>;
  /** An object has changed, or comes again in a resync. */
  update(ctx: Context, event: UpdateEvent<T>, queue: AddOnlyQueue<R>): void | Promise<void>;
  /** An object is gone; the event has its last known state. */
  delete(ctx: Context, event: DeleteEvent<T>, queue: AddOnlyQueue<R>): void | Promise<void>;
  /** Something from outside of the cluster, by a {@link channelSource}. */
  generic(ctx: Context, event: GenericEvent<T>, queue: AddOnlyQueue<R>): void | Promise<void>;
}

/** The priority of what can wait: initial lists and resyncs. */
export const lowPriority = -100;

/** The priority of an event: low where nothing happened yet that a user waits for. */
export function createPriority(event: CreateEvent): number {
  return event.isInInitialList ? lowPriority : 0;
}

/** Low for a resync: the same resource version means that nothing changed. */
export function updatePriority(event: UpdateEvent): number {
  return isResync(event) ? lowPriority : 0;
}

/** The reason that an event gives to the reconciles it causes. */
export function reasonOf(type: Reason["type"], object: KubernetesObject): Reason {
  const { name, namespace } = object.metadata ?? {};
  return { type, kind: object.kind, ...(namespace ? { namespace } : {}), ...(name ? { name } : {}) };
}

/** The reason of an update: a resync where the object is the same. */
export function updateReason(event: UpdateEvent): Reason {
  return reasonOf(isResync(event) ? "resync" : "update", event.object);
}

function isResync(event: UpdateEvent): boolean {
  const version = event.object.metadata?.resourceVersion;
  return version !== undefined && version === event.oldObject.metadata?.resourceVersion;
}

/** The request for an object itself. */
export function requestFor(object: KubernetesObject): Request {
  return { namespace: object.metadata?.namespace ?? "", name: object.metadata?.name ?? "" };
}
