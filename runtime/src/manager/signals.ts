let isSetUp = false;

/**
 * A signal that aborts on the first SIGTERM or SIGINT; the second ends the process with code 1. Once per process: signals are
 * the process's own.
 *
 * @example
 * await mgr.start(setupSignalHandler());
 */
export function setupSignalHandler(): AbortSignal {
  if (isSetUp) throw new Error("setupSignalHandler can be called once");
  isSetUp = true;
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort(new Error(`received ${name}`));
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return controller.signal;
}
