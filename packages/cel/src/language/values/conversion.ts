import { tryParseDuration } from "../../duration/duration.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { formatDuration, formatTime, parseTime, timestamp, zoneOf } from "./time.ts";
import { Duration, Timestamp, TypeValue, typeName, Uint, type Value } from "./value.ts";

const failed = (value: Value, to: string): EvaluationError =>
  new EvaluationError(`type conversion error from '${typeName(value)}' to '${to}'`);

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @returns a signed integer, or throws if it doesn't fit into 64 bits */
export function int64(value: bigint): bigint {
  if (value !== BigInt.asIntN(64, value)) throw new EvaluationError("integer overflow");
  return value;
}

/** @returns an unsigned integer, or throws if it doesn't fit into 64 bits */
export function uint64(value: bigint): Uint {
  if (value !== BigInt.asUintN(64, value)) throw new EvaluationError("unsigned integer overflow");
  return new Uint(value);
}

/** @returns the conversion `int()` */
export function toInt(value: Value): bigint {
  if (typeof value === "bigint") return value;
  if (value instanceof Uint) return int64(value.value);
  if (typeof value === "number") {
    if (!Number.isFinite(value) || value >= 2 ** 63 || value <= -(2 ** 63))
      throw new EvaluationError("integer overflow");
    return BigInt(Math.trunc(value));
  }
  if (value instanceof Timestamp)
    return (value.nanos - (((value.nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n)) / 1_000_000_000n;
  if (value instanceof Duration) return value.nanos;
  if (typeof value === "string" && /^[+-]?\d+$/.test(value)) {
    const parsed = BigInt(value.startsWith("+") ? value.slice(1) : value);
    if (parsed === BigInt.asIntN(64, parsed)) return parsed;
  }
  throw failed(value, "int");
}

/** @returns the conversion `uint()` */
export function toUint(value: Value): Uint {
  if (value instanceof Uint) return value;
  if (typeof value === "bigint") return uint64(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value) || value >= 2 ** 64 || value < 0)
      throw new EvaluationError("unsigned integer overflow");
    return new Uint(BigInt(Math.trunc(value)));
  }
  if (typeof value === "string" && /^\d+$/.test(value)) {
    const parsed = BigInt(value);
    if (parsed === BigInt.asUintN(64, parsed)) return new Uint(parsed);
  }
  throw failed(value, "uint");
}

/** @returns the conversion `double()` */
export function toDouble(value: Value): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value === "string") {
    const plain = value.replaceAll(/(?<=\d)_(?=\d)/g, "");
    if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(plain)) {
      const parsed = Number(plain);
      if (Number.isFinite(parsed)) return parsed;
    }
    if (/^[+-]?nan$/i.test(value)) return Number.NaN;
    const infinite = /^([+-]?)inf(inity)?$/i.exec(value);
    if (infinite !== null) return infinite[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  throw failed(value, "double");
}

/** @returns the conversion `bool()` */
export function toBool(value: Value): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") {
    if (["1", "t", "T", "true", "TRUE", "True"].includes(value)) return true;
    if (["0", "f", "F", "false", "FALSE", "False"].includes(value)) return false;
  }
  throw failed(value, "bool");
}

/** The exponent from which Go's `%g` writes one. */
const exponentLimit = 6;

/** @returns a double as Go's `%g` prints it */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const exponent = value === 0 ? 0 : Number(value.toExponential().split("e")[1]);
  if (exponent >= -4 && exponent < exponentLimit) {
    if (Math.abs(value) >= 1e-6 || value === 0) return String(value);
    return value.toFixed(
      Math.max(0, (value.toExponential().split("e")[0] as string).replace(/[-.]/g, "").length - 1 - exponent),
    );
  }
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

/** @returns the conversion `string()` */
export function toText(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof Uint) return String(value.value);
  if (typeof value === "number") return formatDouble(value);
  if (value instanceof Uint8Array) {
    try {
      return decoder.decode(value);
    } catch {
      throw new EvaluationError("invalid UTF-8 in bytes, cannot convert to string");
    }
  }
  if (value instanceof Timestamp) return formatTime(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof TypeValue) return value.name;
  throw failed(value, "string");
}

/** @returns the conversion `bytes()` */
export function toBytes(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return new TextEncoder().encode(value);
  throw failed(value, "bytes");
}

/** @returns the conversion `timestamp()` */
export function toTimestamp(value: Value): Timestamp {
  if (value instanceof Timestamp) return value;
  if (typeof value === "bigint") return timestamp(value * 1_000_000_000n);
  if (typeof value === "string") {
    const nanos = parseTime(value);
    if (nanos !== undefined) return timestamp(nanos, zoneOf(value));
  }
  throw failed(value, "google.protobuf.Timestamp");
}

/** @returns the conversion `duration()` */
export function toDuration(value: Value): Duration {
  if (value instanceof Duration) return value;
  if (typeof value === "string") {
    const nanos = tryParseDuration(value);
    if (nanos !== undefined) return new Duration(nanos);
  }
  throw failed(value, "google.protobuf.Duration");
}
