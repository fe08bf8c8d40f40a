/** Nanoseconds per unit. Both letters for micro occur: U+00B5 and U+03BC. */
const units: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);
const part = /(\d*)(?:\.(\d*))?([^\d.]*)/y;
/** The magnitude of the smallest integer of 64 bits. The largest is less by one. */
const most = 2n ** 63n;
/** The number of digits from which on an integer is larger. */
const tooLong = 20;

/** A text that isn't a duration. Its message is that of Go. */
export class DurationError extends Error {}

/**
 * Parses a duration with the rules of Go's `time.ParseDuration`, which all durations of the API have.
 *
 * @param text - for example `1h30m`, `-1.5s` or `0`
 * @returns its nanoseconds, which fit 64 bits
 * @throws DurationError with the message of Go
 */
export function parseDuration(text: string): bigint {
  const invalid = (): DurationError => new DurationError(`time: invalid duration ${quote(text)}`);
  const signed = text.startsWith("-") || text.startsWith("+");
  const body = signed ? text.slice(1) : text;
  if (body === "0") return 0n;
  let total = 0n;
  for (let at = 0; at < body.length || at === 0; at = part.lastIndex) {
    part.lastIndex = at;
    const [, whole = "", decimals = "", name = ""] = part.exec(body) as RegExpExecArray;
    const digits = whole.replace(/^0+/, "");
    const number = digits.length < tooLong ? BigInt(digits) : undefined;
    if (whole + decimals === "" || number === undefined || number > most) throw invalid();
    if (name === "") throw new DurationError(`time: missing unit in duration ${quote(text)}`);
    const unit = units.get(name);
    if (unit === undefined) throw new DurationError(`time: unknown unit ${quote(name)} in duration ${quote(text)}`);
    total += number * unit + fractionOf(decimals, unit);
    if (total > most) throw invalid();
  }
  if (text.startsWith("-")) return -total;
  if (total === most) throw invalid();
  return total;
}

/**
 * Parses a duration like {@link parseDuration}.
 *
 * @param text - any text
 * @returns its nanoseconds; undefined if it isn't a duration
 */
export function tryParseDuration(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}

/** Returns the nanoseconds of the digits after the point. As in Go, these are multiplied as a floating-point number. */
function fractionOf(decimals: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of decimals) {
    const next = value * 10n + BigInt(digit);
    // Digits that don't fit 64 bits don't count.
    if (value > (most - 1n) / 10n || next > most) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** Quotes a text as Go's package `time` does: all bytes of characters beyond ASCII are escaped. */
function quote(text: string): string {
  let quoted = "";
  for (const char of text) {
    if (char === '"' || char === "\\") quoted += `\\${char}`;
    else if (char >= " " && char < "\u0080") quoted += char;
    else for (const byte of new TextEncoder().encode(char)) quoted += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return `"${quoted}"`;
}
