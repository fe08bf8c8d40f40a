import { expect, it, vi } from "vitest";
import { Memory } from "./memory.ts";

it("Memory returns a value until it expires", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const memory = new Memory<string>(1000);
    memory.set("a", "1", 1000);
    vi.advanceTimersByTime(999);
    expect(memory.get("a")?.value).toBe("1");
    vi.advanceTimersByTime(1);
    expect(memory.get("a")).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it("Memory drops the oldest value at its limit", () => {
  const memory = new Memory<number>(1000);
  for (let i = 0; i <= 1000; i++) memory.set(`${i}`, i, 60_000);
  expect([memory.get("0"), memory.get("1")?.value, memory.get("1000")?.value]).toEqual([undefined, 1, 1000]);
});
