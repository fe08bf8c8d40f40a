import { expect, it, vi } from "vitest";
import { Memory } from "./memory.ts";

it("remembers for a while, then no more", () => {
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

it("forgets the oldest when there are as many as it may have", () => {
  const memory = new Memory<number>(1000);
  for (let i = 0; i <= 1000; i++) memory.set(`${i}`, i, 60_000);
  expect([memory.get("0"), memory.get("1")?.value, memory.get("1000")?.value]).toEqual([undefined, 1, 1000]);
});
