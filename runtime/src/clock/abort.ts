import { setMaxListeners } from "node:events";

/** An abort controller that any number may listen to: one signal ends all that a manager runs, and Node warns from eleven on. */
export function newController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
