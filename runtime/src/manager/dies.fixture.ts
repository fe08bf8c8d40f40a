// A program of its own: a manager runs, and something throws where nobody catches it.
import { systemClock } from "../clock/clock.ts";
import { createLogger } from "../log/create-logger.ts";
import { ManagerRun } from "./run.ts";

const run = new ManagerRun({
  log: createLogger(),
  clock: systemClock,
  elector: undefined,
  gracefulShutdownTimeout: 1000,
  releaseOnCancel: false,
  writeLast: async () => {},
  onUnhandledRejection: () => {},
});
run.others.add({
  start: async (signal) => {
    setImmediate(() => {
      throw new Error("out of nowhere");
    });
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  },
});
await run.start(new AbortController().signal);
