import type { Writable } from "node:stream";
import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";
import type { KubernetesObject } from "../api/index.ts";
import { systemClock } from "../clock/clock.ts";
import { consoleDestination, consoleLine } from "./console.ts";
import { durableDestination } from "./destination.ts";
import { errorText } from "./error-text.ts";
import type { LogFields, Logger } from "./logger.ts";
import type { LoggerOptions } from "./options.ts";
import { redactField } from "./redact.ts";
import { redactText } from "./redact-text.ts";
import { Sampler } from "./sampler.ts";
import { SourceMaps } from "./source-maps.ts";
import { timestamp } from "./timestamp.ts";

const severity = { debug: 20, info: 30, warn: 40, error: 50, panic: 60 } as const;

/**
 * Creates a logger: JSON lines with controller-runtime's keys (`level`, `ts`, `logger`, `msg`, then the fields, `error`,
 * `stacktrace`), or console lines in development and on a terminal. Credentials are redacted. In production, of a message that is logged more than a hundred times
 * per second only every hundredth line is written; errors are always written.
 *
 * @param options - see {@link LoggerOptions}
 * @returns the logger
 *
 * @example
 * const log = createLogger({ development: true });
 * log.info("starting manager");
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { development = false, clock = systemClock } = options;
  const lines = options.destination ?? process.stderr;
  const isTerminal = (lines as { isTTY?: boolean }).isTTY === true;
  const encoder = options.encoder ?? (development || isTerminal ? "console" : "json");
  const level = options.level ?? (development ? "debug" : "info");
  const stacktraceLevel = options.stacktraceLevel ?? (development ? "warn" : "error");
  const now = (): string => timestamp(options.timeEncoding ?? "rfc3339", clock.date());
  const notice = (lost: number): string => {
    const line = `{"level":"warn","ts":${now()},"msg":"Log lines were lost, because they could not be written","lost":${lost}}\n`;
    return encoder === "console" ? consoleLine(line) : line;
  };
  const durable = isStream(lines) ? durableDestination(lines, notice) : lines;
  const sink: DestinationStream = encoder === "console" ? consoleDestination(durable) : durable;
  const base = pino(
    {
      // The level "panic" disables all lines, because this logger writes none at that level.
      level: typeof level === "number" ? "debug" : level === "panic" ? "fatal" : level,
      base: undefined,
      messageKey: "msg",
      timestamp: () => `,"ts":${now()}`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {},
    },
    sink,
  );
  // Levels above debug disable sampling.
  const sampling = options.sampling ?? !(development || (typeof level === "number" && level > 1));
  return new JsonLogger(base, {
    stackFrom: severity[stacktraceLevel],
    wholeObjects: development,
    sampler: sampling ? new Sampler(() => clock.now()) : undefined,
    sources: new SourceMaps(),
  });
}

function isStream(destination: object): destination is Writable {
  return "writableLength" in destination && "on" in destination;
}

interface LineOptions {
  /** The lowest severity with stack traces. */
  stackFrom: number;
  /** Whether objects are printed completely instead of by name. */
  wholeObjects: boolean;
  /** Shared by all loggers of a program, since it counts messages. */
  sampler: Sampler | undefined;
  /** Shared too, so that each frame is mapped once. */
  sources: SourceMaps;
}

type Fields = Record<string, unknown>;

class JsonLogger implements Logger {
  readonly #pino: PinoLogger;
  readonly #options: LineOptions;
  /** Fields of all lines, as JSON values without credentials. */
  readonly #fields: Fields;

  constructor(base: PinoLogger, options: LineOptions, fields: Fields = {}) {
    this.#pino = base;
    this.#options = options;
    this.#fields = fields;
  }

  debug(message: string, fields?: LogFields): void {
    if (this.#writes("debug", message)) this.#pino.debug(this.#line(message, this.#plain(fields)));
  }

  info(message: string, fields?: LogFields): void {
    if (this.#writes("info", message)) this.#pino.info(this.#line(message, this.#traced(fields)));
  }

  warn(message: string, fields?: LogFields): void {
    if (this.#writes("warn", message)) this.#pino.warn(this.#line(message, this.#traced(fields)));
  }

  error(error: unknown, message: string, fields?: LogFields): void {
    const record: Fields = { ...this.#plain(fields), error: errorText(error) };
    const stack = severity.error >= this.#options.stackFrom ? stackOf(error) : "";
    // Stack traces begin with the message.
    if (stack !== "") record.stacktrace = redactText(this.#options.sources.mapped(stack));
    this.#pino.error(this.#line(message, record));
  }

  with(fields: LogFields): Logger {
    return new JsonLogger(this.#pino, this.#options, { ...this.#fields, ...this.#plain(fields) });
  }

  /** Returns the properties of a line in the order of controller-runtime: pino writes its own message last. */
  #line(message: string, fields: Fields): Fields {
    const { logger = fields.logger } = this.#fields;
    const line: Fields = logger === undefined ? { msg: "" } : { logger, msg: "" };
    return Object.assign(line, this.#fields, fields, { msg: redactText(message) });
  }

  /** Returns the fields of a line that isn't an error, with the stack trace of the call if the level requires one. */
  #traced(fields: LogFields | undefined): Record<string, unknown> {
    const record = this.#plain(fields);
    if (this.#options.stackFrom > severity.info) return record;
    return { ...record, stacktrace: this.#options.sources.mapped(new Error("written here").stack ?? "") };
  }

  /** Returns whether a line is written. Errors are always written, so that each failed reconcile has its line. */
  #writes(level: "debug" | "info" | "warn", message: string): boolean {
    return this.#pino.isLevelEnabled(level) && (this.#options.sampler?.passes(level, message) ?? true);
  }

  /** Returns the fields as JSON values without credentials. */
  #plain(fields: LogFields | undefined): Record<string, unknown> {
    if (!fields) return {};
    const result: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(fields)) {
      result[key] = redactField(key, this.#options.wholeObjects ? value : asReference(value));
    }
    return result;
  }
}

function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack ?? "") : "";
  } catch {
    // The getter of an error in user code threw.
    return "";
  }
}

/** Replaces a Kubernetes object by its identity, since its content can be long or secret. */
function asReference(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { apiVersion, kind, metadata } = value as Partial<KubernetesObject>;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || typeof metadata?.name !== "string") return value;
  const { namespace, name } = metadata;
  return { apiVersion, kind, ...(namespace ? { namespace } : {}), name };
}
