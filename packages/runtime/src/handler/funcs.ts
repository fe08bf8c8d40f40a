import type { KubernetesObject } from "../api/index.ts";
import type { Request } from "../reconcile/request.ts";
import { withLowPriorityWhenUnchanged } from "./defaults.ts";
import type { EventHandler } from "./event-handler.ts";

/**
 * Creates a handler from functions. Events without a function are ignored. Requests have the priority and the reason of
 * the built-in handlers, unless the functions set others.
 *
 * @param functions - functions by event type
 * @returns the handler
 *
 * @example
 * builder.watches(Pod, handlerFuncs({ delete: (ctx, { object }, queue) => queue.add(requestOf(object)) }));
 */
export function handlerFuncs<T extends KubernetesObject, R = Request>(
  functions: Partial<EventHandler<T, R>>,
): EventHandler<T, R> {
  const ignore = (): void => {};
  return withLowPriorityWhenUnchanged({
    create: ignore,
    update: ignore,
    delete: ignore,
    generic: ignore,
    ...functions,
  });
}
