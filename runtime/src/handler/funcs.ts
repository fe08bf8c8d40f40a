import type { KubernetesObject } from "../api/index.ts";
import type { Request } from "../request.ts";
import { withLowPriorityWhenUnchanged } from "./defaults.ts";
import type { EventHandler } from "./event-handler.ts";

/**
 * A handler made of functions; events without one are ignored. What they add gets the priority and the reason that the built-in
 * handlers give, unless they say otherwise.
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
