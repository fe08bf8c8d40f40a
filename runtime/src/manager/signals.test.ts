import { afterAll, expect, it, vi } from "vitest";
import { setupSignalHandler } from "./signals.ts";

const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
afterAll(() => {
  process.removeAllListeners("SIGTERM");
  process.removeAllListeners("SIGINT");
  vi.useRealTimers();
  exit.mockRestore();
});

it("aborts on the first signal, passes over its echo, and ends with 1 on the second", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const signal = setupSignalHandler();
  expect(signal.aborted).toBe(false);
  process.emit("SIGTERM");
  expect(signal.aborted).toBe(true);
  // A process group is told together, and npm tells its child once more, on a busy machine a while later.
  vi.advanceTimersByTime(400);
  process.emit("SIGTERM");
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  process.emit("SIGINT");
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  expect(() => setupSignalHandler()).toThrow("once");
});
