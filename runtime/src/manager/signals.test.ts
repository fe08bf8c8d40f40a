import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it, vi } from "vitest";
import { setupSignalHandler } from "./signals.ts";

const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
afterAll(() => {
  process.removeAllListeners("SIGTERM");
  process.removeAllListeners("SIGINT");
  exit.mockRestore();
});

it("aborts on the first signal, passes over its echo, and ends with 1 on the second", async () => {
  const signal = setupSignalHandler();
  expect(signal.aborted).toBe(false);
  process.emit("SIGTERM");
  expect(signal.aborted).toBe(true);
  // A process group is told together, and npm tells its child once more.
  process.emit("SIGTERM");
  expect(exit).not.toHaveBeenCalled();
  await sleep(60);
  process.emit("SIGINT");
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  expect(() => setupSignalHandler()).toThrow("once");
});
