import type { KubernetesObject } from "../api/index.ts";
import type { Named } from "../client/object-types.ts";
import type { AddOnlyQueue } from "../queue/queue.ts";
import type { Context } from "../reconcile/context.ts";
import { type Request, requestKey } from "../reconcile/request.ts";
import { withLowPriorityWhenUnchanged } from "./defaults.ts";
import type { EventHandler } from "./event-handler.ts";

/** A request as map functions return it, without a namespace for cluster-scoped objects. */
export type MappedRequest = Omit<Request, "namespace"> & { namespace?: string | undefined };

/**
 * Maps the object of an event to the objects to reconcile.
 *
 * @param ctx - the context of the event
 * @param object - the object, which is a frozen object of the cache
 * @returns the requests
 */
export type MapFunc<T extends KubernetesObject, R = MappedRequest> = (
  ctx: Context,
  object: Named<T>,
) => readonly R[] | Promise<readonly R[]>;

/**
 * Creates a handler that enqueues the results of a function. For updates, it is called with the old and with the new
 * object.
 *
 * If the function throws before it waits for anything, the event is logged and dropped. If its promise rejects, the
 * event is retried as {@link EventHandler} describes.
 *
 * @param map - returns the objects to reconcile
 * @returns the handler
 *
 * @example
 * builder.watches(Pod, enqueueRequestsFromMapFunc((ctx, pod) => [{ namespace: pod.metadata.namespace, name: "all" }]));
 */
export function enqueueRequestsFromMapFunc<T extends KubernetesObject>(map: MapFunc<T>): EventHandler<T> {
  const complete = (mapped: readonly MappedRequest[]): Request[] =>
    mapped.map((request) => ({ ...request, namespace: request.namespace ?? "" }));
  return typedEnqueueRequestsFromMapFunc<T, Request>((ctx, object) => {
    const mapped = map(ctx, object);
    return isPromise(mapped) ? mapped.then(complete) : complete(mapped);
  });
}

/**
 * Creates a handler like {@link enqueueRequestsFromMapFunc}, for controllers with custom request types.
 *
 * @param map - returns the requests
 * @returns the handler
 *
 * @example
 * newControllerManagedBy<{ zone: string }>(mgr)
 *   .named("zones")
 *   .watches(Node, typedEnqueueRequestsFromMapFunc((ctx, node) => [{ zone: zoneOf(node) }]));
 */
export function typedEnqueueRequestsFromMapFunc<T extends KubernetesObject, R>(map: MapFunc<T, R>): EventHandler<T, R> {
  function addAll(ctx: Context, objects: readonly T[], queue: AddOnlyQueue<R>): void | Promise<void> {
    const seen = new Set<string>();
    const add = (requests: readonly R[]): void => {
      for (const request of requests) {
        const { size } = seen;
        if (seen.add(requestKey(request)).size > size) queue.add(request);
      }
    };
    const pending: Promise<void>[] = [];
    const errors: unknown[] = [];
    // Maps the new object even if the function fails for the old one, so that corrected objects are reconciled.
    for (const object of objects) {
      try {
        const mapped = map(ctx, object as Named<T>);
        if (isPromise(mapped)) pending.push(mapped.then(add));
        else add(mapped);
      } catch (error) {
        errors.push(error);
      }
    }
    // Errors that are thrown synchronously are rethrown as they are: a retry would not fix them.
    if (pending.length === 0) {
      if (errors.length > 0) throw errors[0];
      return;
    }
    return Promise.allSettled(pending).then((results) => {
      for (const result of results) if (result.status === "rejected") errors.push(result.reason);
      if (errors.length > 0) throw errors[0];
    });
  }

  return withLowPriorityWhenUnchanged<T, R>({
    create: (ctx, event, queue) => addAll(ctx, [event.object], queue),
    update: (ctx, { oldObject, object }, queue) =>
      addAll(ctx, oldObject === object ? [object] : [oldObject, object], queue),
    delete: (ctx, event, queue) => addAll(ctx, [event.object], queue),
    generic: (ctx, event, queue) => addAll(ctx, [event.object], queue),
  });
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | undefined)?.then === "function";
}
