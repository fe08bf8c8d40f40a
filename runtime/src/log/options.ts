/** From the most to the least talkative. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "panic";

/** How lines tell the time: seconds, milliseconds or nanoseconds since 1970 as a number, or a text. */
export type TimeEncoding = "epoch" | "millis" | "nanos" | "iso8601" | "rfc3339" | "rfc3339nano";

/** What is logged, and how. */
export interface LoggerOptions {
  /** Switches the defaults to console lines, level debug and stacks from warnings on. */
  development?: boolean;
  /** JSON lines for machines, or console lines for people. */
  encoder?: "json" | "console";
  /** `info` by default; a number n > 0 means as verbose as Go's V(n): debug and everything above. */
  level?: LogLevel | number;
  /** The level from which stack traces are printed. */
  stacktraceLevel?: "info" | "warn" | "error" | "panic";
  timeEncoding?: TimeEncoding;
  /**
   * Of a message that comes more than a hundred times a second, writes every hundredth from there on; errors are all written. On by
   * default, but for development and levels above 1.
   */
  sampling?: boolean;
  /** Where lines go: standard error by default, as controller-runtime's. */
  destination?: { write(line: string): void };
}

/** A flag of a program that can't be understood. */
export class FlagError extends Error {
  override readonly name = "FlagError";
}

const encoders = ["json", "console"] as const;
const levels = ["debug", "info", "error", "panic"] as const;
const stacktraceLevels = ["info", "error", "panic"] as const;
const timeEncodings = ["epoch", "millis", "nanos", "iso8601", "rfc3339", "rfc3339nano"] as const;

/** How `parseArgs` of node:util is told about the `--zap-…` flags: spread it into `options`. */
export const zapFlagOptions = {
  "zap-devel": { type: "boolean" },
  "zap-encoder": { type: "string" },
  "zap-log-level": { type: "string" },
  "zap-stacktrace-level": { type: "string" },
  "zap-time-encoding": { type: "string" },
} as const;

/** What `parseArgs` gives for {@link zapFlagOptions}. */
export interface ZapFlags {
  /** Text is read as Go reads a boolean: `--zap-devel=false`. */
  "zap-devel"?: boolean | string;
  "zap-encoder"?: string;
  "zap-log-level"?: string;
  "zap-stacktrace-level"?: string;
  "zap-time-encoding"?: string;
}

/** Turns the `--zap-…` flags that kubebuilder's users know into logger options. Throws a {@link FlagError} for a wrong value. */
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
  throw new FlagError(`--${flag}: ${JSON.stringify(value)} is neither true nor false`);
}

function logLevel(value: string): LogLevel | number {
  if (/^\d+$/.test(value) && Number(value) > 0) return Number(value);
  return oneOf("zap-log-level", value, levels, " or an integer greater than 0");
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[], more = ""): T {
  const found = allowed.find((candidate) => candidate === value.toLowerCase());
  if (found) return found;
  throw new FlagError(`--${flag}: ${JSON.stringify(value)} is not one of ${allowed.join(", ")}${more}`);
}
