import { describe, expect, it } from "vitest";
import { createLogger } from "./create-logger.ts";
import { FlagError, type LoggerOptions, loggerOptionsFromFlags } from "./options.ts";
import { timestamp } from "./timestamp.ts";

function capture(options: LoggerOptions = {}) {
  const lines: string[] = [];
  const log = createLogger({ ...options, destination: { write: (line) => void lines.push(line) } });
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe("logger", () => {
  it("writes JSON lines with controller-runtime's keys", () => {
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

  it("writes fields that JSON can't hold by itself", () => {
    const { log, records } = capture();
    log.info("x", { big: 12345678901234567890n, error: new Error("e") });
    expect(records()[0]).toMatchObject({ big: "12345678901234567890", error: "e" });
  });

  it("names objects of Kubernetes instead of printing them, but in development", () => {
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
    expect(development.records()[0]?.secret).toEqual(secret);
  });

  it("writes lines for people in development, debug included", () => {
    const { log, lines } = capture({ development: true });
    log.debug("hello", { name: "a" });
    expect(lines[0]).toMatch(/^\S+Z\tDEBUG\thello\t\{"name": "a"\}\n$/);
  });

  it("keeps quiet below its level", () => {
    const { log, lines } = capture({ level: "error" });
    log.info("x");
    log.warn("x");
    log.error(new Error("e"), "shown");
    expect(lines).toHaveLength(1);
  });

  it("says times in each encoding", () => {
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

  it("takes the --zap flags, and says which value is wrong", () => {
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
      '--zap-encoder: "xml" is not one of json, console',
    );
  });
});
