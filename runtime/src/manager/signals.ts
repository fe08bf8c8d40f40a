let isSetUp = false;

/** Within this many milliseconds a signal is the one before: sent to a process group, it comes from the shell or npm once more. */
const echo = 500;

/**
 * A signal that aborts on the first SIGTERM or SIGINT; a second one, unless it is the echo of
 * the first within half a second, ends the process with code 1. Once per process: signals are
 * the process's own.
 *
 * @example
 * await mgr.start(setupSignalHandler());
 */
export function setupSignalHandler(): AbortSignal {
  if (isSetUp) throw new Error("setupSignalHandler can be called once");
  isSetUp = true;
  const controller = new AbortController();
  let received = Number.NEGATIVE_INFINITY;
  const onSignal = (name: NodeJS.Signals): void => {
    const now = performance.now();
    if (now - received < echo) return;
    if (controller.signal.aborted) process.exit(1);
    received = now;
    controller.abort(new Error(`received ${name}`));
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return controller.signal;
}
