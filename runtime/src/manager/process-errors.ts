/** Receives what no code of the process has caught. */
export interface ProcessErrorListener {
  onRejection(reason: unknown, promise: Promise<unknown>): void;
  onException(error: unknown): void;
}

/** Of all running managers: Node warns of a leak if each of more than ten listens to the process by itself. */
const listeners = new Set<ProcessErrorListener>();

const onRejection = (reason: unknown, promise: Promise<unknown>): void => {
  for (const listener of listeners) listener.onRejection(reason, promise);
};
const onException = (error: unknown): void => {
  for (const listener of listeners) listener.onException(error);
};

/**
 * Listens to the process's unhandled rejections, which then don't end it, and to its uncaught exceptions, which do.
 *
 * @returns ends the listening
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
