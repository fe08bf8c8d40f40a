import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createLogger } from "./create-logger.ts";
import { FlagError, type LoggerOptions, loggerOptionsFromFlags } from "./options.ts";
import { Sampler } from "./sampler.ts";
import { timestamp } from "./timestamp.ts";

function capture(options: LoggerOptions = {}) {
  const lines: string[] = [];
  const log = createLogger({ ...options, destination: { write: (line) => void lines.push(line) } });
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe("logger", () => {
  it("writes JSON lines with the keys of controller-runtime", () => {
    const { log, records } = capture();
    log.with({ controller: "game" }).info("Starting workers", { "worker count": 3 });
    log.debug("not shown");
    expect(records()).toEqual([
      {
        level: "info",
        ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        controller: "game",
        "worker count": 3,
        msg: "Starting workers",
      },
    ]);
  });

  it("writes level, ts, logger and msg first, and then the fields", () => {
    const { log, lines } = capture();
    log.with({ controller: "game", logger: "setup" }).info("Starting", { name: "a", msg: "not the message" });
    expect(Object.keys(JSON.parse(lines[0] ?? ""))).toEqual(["level", "ts", "logger", "msg", "controller", "name"]);
    expect(lines[0]).toContain('"msg":"Starting"');
  });

  it("writes console lines on a terminal, unless JSON is configured", () => {
    const written: string[] = [];
    const destination = { isTTY: true, write: (line: string) => void written.push(line) };
    createLogger({ destination }).with({ logger: "setup" }).info("Starting", { name: "a" });
    createLogger({ destination, encoder: "json" }).info("Starting");
    expect(written[0]).toMatch(/^\S+\tINFO\tsetup\tStarting\t\{"name": "a"\}\n$/);
    expect(written[1]).toMatch(/^\{"level":"info",/);
  });

  it("writes errors with the messages of their causes and a stack", () => {
    const { log, records } = capture();
    log.error(new Error("sync failed", { cause: new Error("no route") }), "Reconciler error", { name: "a" });
    log.error("thrown text", "Reconciler error");
    expect(records()[0]).toMatchObject({
      level: "error",
      name: "a",
      error: "sync failed: no route",
      msg: "Reconciler error",
    });
    expect(records()[0]?.stacktrace).toContain("log.test.ts");
    expect(records()[1]).toMatchObject({ error: "thrown text" });
  });

  it("adds the stack to every line with stacktraceLevel info, and to no line with panic", () => {
    const all = capture({ stacktraceLevel: "info" });
    all.log.info("x");
    all.log.warn("x");
    all.log.error(new Error("e"), "x");
    for (const record of all.records()) expect(record.stacktrace).toContain("log.test.ts");
    const none = capture({ stacktraceLevel: "panic" });
    none.log.error(new Error("e"), "x");
    expect(none.records()[0]?.stacktrace).toBeUndefined();
  });

  it("writes fields that JSON doesn't support", () => {
    const { log, records } = capture();
    log.info("x", { big: 12345678901234567890n, error: new Error("e") });
    expect(records()[0]).toMatchObject({ big: "12345678901234567890", error: "e" });
  });

  it("writes the kind and name of a Kubernetes object, and in development the whole object", () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: "ns", name: "s", labels: {} },
      data: { password: "hush" },
    };
    const production = capture();
    production.log.info("x", {
      secret,
      node: { apiVersion: "v1", kind: "Node", metadata: { name: "n" } },
      other: { kind: "x" },
    });
    production.log.with({ secret }).info("y");
    expect(production.records()[0]).toMatchObject({
      secret: { apiVersion: "v1", kind: "Secret", namespace: "ns", name: "s" },
      node: { apiVersion: "v1", kind: "Node", name: "n" },
      other: { kind: "x" },
    });
    expect(production.lines.join("")).not.toContain("hush");
    const development = capture({ development: true, encoder: "json" });
    development.log.info("x", { secret });
    expect(development.records()[0]?.secret).toEqual({ ...secret, data: { password: "[redacted]" } });
  });

  it("writes readable lines in development, including debug lines", () => {
    const { log, lines } = capture({ development: true });
    log.debug("hello", { name: "a" });
    expect(lines[0]).toMatch(/^\S+Z\tDEBUG\thello\t\{"name": "a"\}\n$/);
  });

  it("drops frequent lines in production, but no errors", () => {
    // The fake time makes all lines fall into the same second, however long it takes to write them.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const written = (options: LoggerOptions) => {
      const { log, lines } = capture({ encoder: "json", ...options });
      for (let i = 0; i < 350; i++) {
        log.with({ i }).info("Reconciling");
        log.error(new Error("boom"), "Reconciler error");
      }
      log.info("Something else");
      return ["Reconciling", "Reconciler error", "Something else"].map(
        (message) => lines.filter((line) => line.includes(`"msg":"${message}"`)).length,
      );
    };
    expect(written({})).toEqual([102, 350, 1]);
    expect(written({ level: 1 })).toEqual([102, 350, 1]);
    expect(written({ level: 2 })).toEqual([350, 350, 1]);
    expect(written({ development: true })).toEqual([350, 350, 1]);
    expect(written({ sampling: false })).toEqual([350, 350, 1]);
  });

  it("samples per second, message and level", () => {
    let now = 0;
    const sampler = new Sampler(() => now);
    const passed = (level: string, times: number) =>
      Array.from({ length: times }, () => sampler.passes(level, "m")).filter(Boolean).length;
    expect(passed("info", 100)).toBe(100);
    expect(passed("info", 99)).toBe(0);
    expect(passed("info", 1)).toBe(1);
    expect(passed("debug", 100)).toBe(100);
    now = 999;
    expect(passed("info", 1)).toBe(0);
    now = 1000;
    expect(passed("info", 150)).toBe(100);
  });

  it("writes nothing below its level", () => {
    const { log, lines } = capture({ level: "error" });
    log.info("x");
    log.warn("x");
    log.error(new Error("e"), "shown");
    expect(lines).toHaveLength(1);
  });

  it("formats times in each encoding", () => {
    const date = new Date("2026-01-02T03:04:05.678Z");
    expect(
      (["epoch", "millis", "nanos", "iso8601", "rfc3339", "rfc3339nano"] as const).map((e) => timestamp(e, date)),
    ).toEqual([
      "1767323045.678",
      "1767323045678",
      "1767323045678000000",
      '"2026-01-02T03:04:05.678+0000"',
      '"2026-01-02T03:04:05Z"',
      '"2026-01-02T03:04:05.678Z"',
    ]);
  });

  it.each([
    [true, true],
    [false, false],
    ["true", true],
    ["1", true],
    ["False", false],
    ["0", false],
  ])("parses --zap-devel=%s as %s", (value, development) => {
    expect(loggerOptionsFromFlags({ "zap-devel": value })).toEqual({ development });
  });

  it("accepts the --zap flags, and rejects an invalid value", () => {
    expect(() => loggerOptionsFromFlags({ "zap-devel": "yes" })).toThrow(
      '--zap-devel: invalid value "yes": it must be true or false',
    );
    expect(
      loggerOptionsFromFlags({
        "zap-devel": true,
        "zap-encoder": "json",
        "zap-log-level": "5",
        "zap-stacktrace-level": "panic",
        "zap-time-encoding": "rfc3339nano",
      }),
    ).toEqual({ development: true, encoder: "json", level: 5, stacktraceLevel: "panic", timeEncoding: "rfc3339nano" });
    expect(loggerOptionsFromFlags({})).toEqual({});
    expect(() => loggerOptionsFromFlags({ "zap-log-level": "loud" })).toThrow(FlagError);
    expect(() => loggerOptionsFromFlags({ "zap-encoder": "xml" })).toThrow(
      '--zap-encoder: invalid value "xml": it must be one of json, console',
    );
  });
});
