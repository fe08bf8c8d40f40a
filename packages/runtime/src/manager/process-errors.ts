/** Receives uncaught errors of the process. */
export interface ProcessErrorListener {
  onRejection(reason: unknown, promise: Promise<unknown>): void;
  onException(error: unknown): void;
}

/** Listeners of all running managers. One shared process listener avoids Node's warning about more than ten. */
const listeners = new Set<ProcessErrorListener>();

const onRejection = (reason: unknown, promise: Promise<unknown>): void => {
  for (const listener of listeners) listener.onRejection(reason, promise);
};
const onException = (error: unknown): void => {
  for (const listener of listeners) listener.onException(error);
};

/**
 * Listens to unhandled rejections of the process, which then don't end it, and to uncaught exceptions, which do.
 *
 * @returns a function that stops listening
 */
export function listenToProcessErrors(listener: ProcessErrorListener): () => void {
  if (listeners.size === 0) {
    process.on("unhandledRejection", onRejection);
    process.on("uncaughtExceptionMonitor", onException);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    process.off("unhandledRejection", onRejection);
    process.off("uncaughtExceptionMonitor", onException);
  };
}
