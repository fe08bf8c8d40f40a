// A program that runs a manager, and throws an error that nothing catches.
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
