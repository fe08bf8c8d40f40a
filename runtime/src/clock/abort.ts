import { setMaxListeners } from "node:events";

/** An abort controller that any number may listen to: one signal ends all that a manager runs, and Node warns from eleven on. */
export function newController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Resolves when the signal aborts; at once where it has. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Settles as the promise does or, when the signal aborts before, with what `otherwise` gives or throws. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal, otherwise: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      try {
        resolve(otherwise());
      } catch (error) {
        reject(error);
      }
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
