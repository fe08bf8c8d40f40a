import type { KubernetesObject } from "../api/index.ts";
import type { Context } from "../context.ts";
import type { AddOnlyQueue } from "../queue/queue.ts";
import { type Request, requestKey } from "../request.ts";
import { withLowPriorityWhenUnchanged } from "./defaults.ts";
import type { EventHandler } from "./event-handler.ts";

/** A request as map functions may write it: without a namespace for cluster-scoped objects. */
export type MappedRequest = Omit<Request, "namespace"> & { namespace?: string };

/** Names the objects to reconcile because of an event's object, which is a frozen object of the cache. */
export type MapFunc<T extends KubernetesObject, R = MappedRequest> = (
  ctx: Context,
  object: T,
) => readonly R[] | Promise<readonly R[]>;

/**
 * Enqueues what a function names. On updates it is asked for the old and the new object.
 *
 * @example
 * builder.watches(Pod, enqueueRequestsFromMapFunc((ctx, pod) => [{ namespace: pod.metadata?.namespace, name: "all" }]));
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
 * As {@link enqueueRequestsFromMapFunc}, for controllers with requests of their own.
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
        const key = requestKey(request);
        if (seen.has(key)) continue;
        seen.add(key);
        queue.add(request);
      }
    };
    const pending: Promise<void>[] = [];
    const errors: unknown[] = [];
    // The new object counts although the function fails for the old one: a corrected object must get through.
    for (const object of objects) {
      try {
        const mapped = map(ctx, object);
        if (isPromise(mapped)) pending.push(mapped.then(add));
        else add(mapped);
      } catch (error) {
        errors.push(error);
      }
    }
    // What a function throws before it waits for anything is thrown on as such: a retry would not fix it.
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
