import { systemClock } from "../clock/clock.ts";

let isSetUp = false;

/**
 * Time in milliseconds within which a signal counts as a repetition of the one before: a shell or npm sends signals of
 * a process group again.
 */
const echo = 500;

/** Time in milliseconds between checks of the parent process. */
const parentCheck = 250;

/**
 * Returns an abort signal for {@link Manager.start}. The first SIGTERM or SIGINT aborts it. A second one ends the
 * process with exit code 1, unless it follows within half a second: shells and npm send signals twice.
 *
 * In an npm script, the end of the parent process counts as a SIGTERM. npm sends signals to the shell of the script, and not
 * every shell passes them on.
 *
 * @returns the abort signal
 * @throws Error if it was called before, since signals belong to the process
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
    const now = systemClock.now();
    if (now - received < echo) return;
    if (controller.signal.aborted) process.exit(1);
    received = now;
    controller.abort(new Error(`received ${name}`));
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  if (process.env.npm_lifecycle_event !== undefined) onParentEnd(() => onSignal("SIGTERM"));
  return controller.signal;
}

/** Calls a function when the parent process has ended. Then the process has another parent, except on Windows. */
function onParentEnd(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, parentCheck).unref();
}
