import type { Clock } from "../clock/clock.ts";

/** Levels, from the most to the least verbose. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "panic";

/** Format of the time in lines: seconds, milliseconds or nanoseconds since 1970 as a number, or a text. */
export type TimeEncoding = "epoch" | "millis" | "nanos" | "iso8601" | "rfc3339" | "rfc3339nano";

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /**
   * Changes the defaults to console lines, level `debug`, and stack traces from `warn` on.
   *
   * @defaultValue false
   */
  development?: boolean;
  /**
   * Machine-readable JSON lines, or human-readable console lines.
   *
   * @defaultValue "json", but "console" in development and if the destination is a terminal
   */
  encoder?: "json" | "console";
  /**
   * Lowest level that is logged. A number n > 0 is as verbose as Go's V(n): debug and everything above.
   *
   * @defaultValue "info", or "debug" in development
   */
  level?: LogLevel | number;
  /**
   * Lowest level with stack traces.
   *
   * @defaultValue "error", or "warn" in development
   */
  stacktraceLevel?: "info" | "warn" | "error" | "panic";
  /**
   * Format of the time.
   *
   * @defaultValue "rfc3339"
   */
  timeEncoding?: TimeEncoding;
  /**
   * Of a message that is logged more than a hundred times per second, writes only every hundredth line. Errors are
   * always written.
   *
   * @defaultValue true, but false in development and for levels above 1
   */
  sampling?: boolean;
  /**
   * Clock of the times in lines.
   *
   * @defaultValue the clock of the system
   */
  clock?: Clock;
  /**
   * Receives the lines.
   *
   * @defaultValue standard error
   */
  destination?: {
    /**
     * Writes a line.
     *
     * @param line - the line, which ends with a line break
     */
    write(line: string): void;
  };
}

/** Reports an invalid command-line flag. */
export class FlagError extends Error {
  /** Always `FlagError`. */
  override readonly name = "FlagError";
}

const encoders = ["json", "console"] as const;
const levels = ["debug", "info", "error", "panic"] as const;
const stacktraceLevels = ["info", "error", "panic"] as const;
const timeEncodings = ["epoch", "millis", "nanos", "iso8601", "rfc3339", "rfc3339nano"] as const;

/**
 * Options of the `--zap-…` flags for `parseArgs` of node:util: spread them into `options`.
 *
 * @example
 * const { values } = parseArgs({ options: { ...zapFlagOptions } });
 * const logger = createLogger(loggerOptionsFromFlags(values));
 */
export const zapFlagOptions = {
  "zap-devel": { type: "boolean" },
  "zap-encoder": { type: "string" },
  "zap-log-level": { type: "string" },
  "zap-stacktrace-level": { type: "string" },
  "zap-time-encoding": { type: "string" },
} as const;

/** Values of {@link zapFlagOptions} that `parseArgs` returns. */
export interface ZapFlags {
  /** `true`, or text that Go parses as a boolean: `--zap-devel=false`. */
  "zap-devel"?: boolean | string;
  /** `json` or `console`. */
  "zap-encoder"?: string;
  /** `debug`, `info`, `error`, `panic` or an integer greater than 0. */
  "zap-log-level"?: string;
  /** `info`, `error` or `panic`. */
  "zap-stacktrace-level"?: string;
  /** `epoch`, `millis`, `nanos`, `iso8601`, `rfc3339` or `rfc3339nano`. */
  "zap-time-encoding"?: string;
}

/**
 * Converts the `--zap-…` flags, which have kubebuilder's names, into logger options.
 *
 * @param flags - the values of the flags
 * @returns options of {@link createLogger}
 * @throws FlagError if a value isn't valid
 */
export function loggerOptionsFromFlags(flags: ZapFlags): LoggerOptions {
  const options: LoggerOptions = {};
  if (flags["zap-devel"] !== undefined) options.development = boolean("zap-devel", flags["zap-devel"]);
  if (flags["zap-encoder"] !== undefined) options.encoder = oneOf("zap-encoder", flags["zap-encoder"], encoders);
  if (flags["zap-log-level"] !== undefined) options.level = logLevel(flags["zap-log-level"]);
  if (flags["zap-stacktrace-level"] !== undefined) {
    options.stacktraceLevel = oneOf("zap-stacktrace-level", flags["zap-stacktrace-level"], stacktraceLevels);
  }
  if (flags["zap-time-encoding"] !== undefined) {
    options.timeEncoding = oneOf("zap-time-encoding", flags["zap-time-encoding"], timeEncodings);
  }
  return options;
}

function boolean(flag: string, value: boolean | string): boolean {
  if (typeof value === "boolean") return value;
  if (/^(1|t|T|true|True|TRUE)$/.test(value)) return true;
  if (/^(0|f|F|false|False|FALSE)$/.test(value)) return false;
  throw new FlagError(`--${flag}: invalid value ${JSON.stringify(value)}: it must be true or false`);
}

function logLevel(value: string): LogLevel | number {
  if (/^\d+$/.test(value) && Number(value) > 0) return Number(value);
  return oneOf("zap-log-level", value, levels, " or an integer greater than 0");
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[], more = ""): T {
  const match = allowed.find((candidate) => candidate === value.toLowerCase());
  if (match) return match;
  throw new FlagError(
    `--${flag}: invalid value ${JSON.stringify(value)}: it must be one of ${allowed.join(", ")}${more}`,
  );
}
