import { afterAll, expect, it, vi } from "vitest";
import { setupSignalHandler } from "./signals.ts";

const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
afterAll(() => {
  process.removeAllListeners("SIGTERM");
  process.removeAllListeners("SIGINT");
  vi.useRealTimers();
  exit.mockRestore();
});

it("setupSignalHandler aborts on the first signal, ignores its repetition, and exits with 1 on the second", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const signal = setupSignalHandler();
  expect(signal.aborted).toBe(false);
  process.emit("SIGTERM");
  expect(signal.aborted).toBe(true);
  // Each process of a group receives the signal, and npm forwards it to its child, which takes longer on a busy machine.
  vi.advanceTimersByTime(400);
  process.emit("SIGTERM");
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  process.emit("SIGINT");
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  expect(() => setupSignalHandler()).toThrow("once");
});
