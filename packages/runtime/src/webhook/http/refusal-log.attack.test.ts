import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LogFields, silentLogger } from "../../log/logger.ts";
import { RefusalLog } from "./refusal-log.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("RefusalLog under a flood of rejected requests", () => {
  it("logs at most two lines per 10 seconds, without a stack", ({ task }) => {
    (task.meta as { attempts?: number }).attempts = 2000;
    const lines: [string, LogFields | undefined][] = [];
    const log = { ...silentLogger, warn: (message: string, fields?: LogFields) => void lines.push([message, fields]) };
    const refusals = new RefusalLog(log, "unable to read the request");
    for (let count = 0; count < 1000; count++) refusals.add(new Error("too large"), "/mutate");
    expect(lines).toEqual([["unable to read the request", { error: "too large", path: "/mutate" }]]);
    vi.advanceTimersByTime(10_000);
    expect(lines.at(-1)).toEqual(["unable to read the request", { requests: 999, seconds: 10 }]);
    vi.advanceTimersByTime(10_000);
    for (let count = 0; count < 1000; count++) refusals.add(new Error("incomplete"), "/mutate");
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toEqual(["unable to read the request", { error: "incomplete", path: "/mutate" }]);
  });
});
