import type { KubernetesObject } from "../api/index.ts";
import type { AddOnlyQueue } from "../queue/queue.ts";
import type { Reason } from "../queue/reason.ts";
import type { Context } from "../reconcile/context.ts";
import type { Request } from "../reconcile/request.ts";
import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "./events.ts";

/**
 * Turns events into requests. The events of one object come one at a time, in order; objects don't wait for each other.
 *
 * If a handler throws, the event is dropped. If its promise rejects, the event is retried: without limit while the API
 * server can't be reached, else ten times within 30 s. Rejections with an error that the language throws, such as a
 * `TypeError`, aren't retried.
 */
export interface EventHandler<T extends KubernetesObject = KubernetesObject, R = Request> {
  /**
   * Handles a new object: a created one, or one that existed when the watch started.
   *
   * @param ctx - logger and abort signal of the controller
   * @param event - the object
   * @param queue - accepts requests
   */
  create(ctx: Context, event: CreateEvent<T>, queue: AddOnlyQueue<R>): void | Promise<void>;
  /**
   * Handles a changed object, or one that is repeated by a resync.
   *
   * @param ctx - logger and abort signal of the controller
   * @param event - the object before and after the change
   * @param queue - accepts requests
   */
  update(ctx: Context, event: UpdateEvent<T>, queue: AddOnlyQueue<R>): void | Promise<void>;
  /**
   * Handles a deleted object.
   *
   * @param ctx - logger and abort signal of the controller
   * @param event - its last known state
   * @param queue - accepts requests
   */
  delete(ctx: Context, event: DeleteEvent<T>, queue: AddOnlyQueue<R>): void | Promise<void>;
  /**
   * Handles an event from outside the cluster, by a {@link channelSource}.
   *
   * @param ctx - logger and abort signal of the controller
   * @param event - the object
   * @param queue - accepts requests
   */
  generic(ctx: Context, event: GenericEvent<T>, queue: AddOnlyQueue<R>): void | Promise<void>;
}

/** Priority of initial lists and resyncs, which can wait. */
export const lowPriority = -100;

/** Returns the priority of an event: low in an initial list. */
export function createPriority(event: CreateEvent): number {
  return event.isInInitialList ? lowPriority : 0;
}

/** Returns the priority of an update: low for a resync. */
export function updatePriority(event: UpdateEvent): number {
  return isResync(event) ? lowPriority : 0;
}

/** Returns the reason of reconciles that an event causes. */
export function reasonOf(type: Reason["type"], object: KubernetesObject): Reason {
  const { name, namespace } = object.metadata ?? {};
  return { type, kind: object.kind, ...(namespace ? { namespace } : {}), ...(name ? { name } : {}) };
}

/** Returns the reason of an update: `resync` if the resource version is the same. */
export function updateReason(event: UpdateEvent): Reason {
  return reasonOf(isResync(event) ? "resync" : "update", event.object);
}

function isResync(event: UpdateEvent): boolean {
  const version = event.object.metadata?.resourceVersion;
  return version !== undefined && version === event.oldObject.metadata?.resourceVersion;
}

/** Returns the request for an object. */
export function requestFor(object: KubernetesObject): Request {
  return { namespace: object.metadata?.namespace ?? "", name: object.metadata?.name ?? "" };
}
