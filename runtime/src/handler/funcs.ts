import type { KubernetesObject } from "../api/index.ts";
import type { EventHandler } from "./event-handler.ts";

/** A handler made of functions; events without one are ignored. */
export function handlerFuncs<T extends KubernetesObject>(functions: Partial<EventHandler<T>>): EventHandler<T> {
  const ignore = (): void => {};
  return { create: ignore, update: ignore, delete: ignore, generic: ignore, ...functions };
}
