import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BeforeEach, testContext, testLogger } from "./index.ts";

/** A test runner whose tests begin and fail on request. */
function runner() {
  const hooks: Parameters<BeforeEach>[0][] = [];
  return {
    beforeEach: (hook: Parameters<BeforeEach>[0]) => void hooks.push(hook),
    /** Begins a test. Returns a function that lets it fail. */
    begin() {
      const listeners: (() => void)[] = [];
      for (const hook of hooks) hook({ onTestFailed: (listener) => void listeners.push(listener) });
      return () => {
        for (const listener of listeners) listener();
      };
    },
  };
}

describe("testLogger", () => {
  const printed: string[] = [];
  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation((text) => void printed.push(String(text)));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    printed.length = 0;
  });

  it("prints the lines of a failed test, and those before the first test", () => {
    const { beforeEach, begin } = runner();
    const log = testLogger(beforeEach);
    log.info("starting manager");
    const fail = begin();
    testContext({ log }).log.with({ name: "sample" }).debug("Reconciling", { generation: 2 });
    fail();
    expect(printed).toHaveLength(1);
    expect(printed[0]).toMatch(/INFO\tstarting manager\n.*DEBUG\tReconciling\t\{"name": "sample", "generation": 2\}$/);
  });

  it("prints nothing for tests that pass", () => {
    const { beforeEach, begin } = runner();
    const log = testLogger(beforeEach);
    begin();
    log.error(new Error("expected"), "of a test that passes");
    const fail = begin();
    expect(printed).toEqual([]);
    log.info("of a test that fails");
    fail();
    expect(printed[0]).toMatch(/^[^\n]*INFO\tof a test that fails$/);
  });

  it("keeps the last thousand lines", () => {
    const { beforeEach, begin } = runner();
    const log = testLogger(beforeEach);
    const fail = begin();
    for (let line = 1; line <= 5_000; line++) log.info(`line ${line}`);
    fail();
    const lines = printed[0]!.split("\n");
    expect([lines.length, lines[0]?.split("\t")[2]]).toEqual([1_000, "line 4001"]);
  });

  it("accepts beforeEach of Vitest", () => {
    const vitests: BeforeEach = beforeEach;
    expect(vitests).toBeTypeOf("function");
  });
});
