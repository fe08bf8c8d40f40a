import { hexOf } from "../json/bytes.ts";

const timeLayout = "2006-01-02T15:04:05Z07:00";
const microTimeLayout = "2006-01-02T15:04:05.000000Z07:00";

/**
 * Parses a time of RFC 3339 as Go's `time.Parse` does.
 *
 * @param text - for example `2026-01-02T03:04:05+01:00`
 * @returns the time in milliseconds since 1970
 * @throws Error with Go's message
 */
export function parseTime(text: string): number {
  const { seconds, fraction } = new TimeReader(text, timeLayout).read();
  return seconds * 1000 + Number(`${fraction}000`.slice(0, 3));
}

const normal = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * Brings a time into the form of the API: UTC, in seconds.
 *
 * @param text - a time of RFC 3339
 * @returns for example `2026-01-02T03:04:05Z`
 * @throws Error with Go's message
 */
export function normalizeTime(text: string): string {
  // Of the days, only those that all months have: the others need the calendar.
  if (normal.test(text)) return text;
  return formatTime(new TimeReader(text, timeLayout).read().seconds * 1000);
}

/**
 * Brings a time with microseconds into the form of the API.
 *
 * @param text - a time of RFC 3339 with six digits after the second
 * @returns for example `2026-01-02T03:04:05.000006Z`
 * @throws Error with Go's message
 */
export function normalizeMicroTime(text: string): string {
  const { seconds, fraction } = new TimeReader(text, microTimeLayout).read();
  return formatTime(seconds * 1000).replace("Z", `.${fraction}Z`);
}

/**
 * Formats a time as the API does.
 *
 * @param milliseconds - the time in milliseconds since 1970
 * @returns for example `2026-01-02T03:04:05Z`
 */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Reads a text from left to right, as Go does, because its messages contain the rest that it didn't read. */
class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(): { seconds: number; fraction: string } {
    const year = this.#number(/^\d{4}/, "2006");
    this.#literal("-");
    const month = this.#number(/^\d\d/, "01");
    this.#check("month", month >= 1 && month <= 12);
    this.#literal("-");
    const day = this.#number(/^\d\d/, "02");
    this.#literal("T");
    // Of all parts, Go accepts one digit for the hour.
    const hour = this.#number(/^\d\d?/, "15");
    this.#check("hour", hour < 24);
    this.#literal(":");
    const minute = this.#number(/^\d\d/, "04");
    this.#check("minute", minute < 60);
    this.#literal(":");
    const second = this.#number(/^\d\d/, "05");
    this.#check("second", second < 60);
    const fraction = this.#fraction();
    const offset = this.#offset();
    if (this.#rest !== "") this.#fail(`extra text: ${quote(this.#rest)}`);
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    this.#check("day", date.getUTCDate() === day);
    date.setUTCHours(hour, minute - offset, second);
    return { seconds: date.getTime() / 1000, fraction };
  }

  #take(pattern: RegExp): string | undefined {
    const text = pattern.exec(this.#rest)?.[0];
    if (text !== undefined) this.#rest = this.#rest.slice(text.length);
    return text;
  }

  #number(pattern: RegExp, element: string): number {
    return Number(this.#take(pattern) ?? this.#mismatch(element));
  }

  #literal(char: string): void {
    if (!this.#rest.startsWith(char)) this.#mismatch(char);
    this.#rest = this.#rest.slice(1);
  }

  /** @returns the digits after the second. Layouts with digits require them, and the others accept any. */
  #fraction(): string {
    if (this.#layout === timeLayout) return (this.#take(/^[.,]\d+/) ?? ".").slice(1);
    return (this.#take(/^[.,]\d{6}/) ?? this.#mismatch(".000000")).slice(1);
  }

  /** @returns the offset from UTC in minutes */
  #offset(): number {
    if (this.#take(/^Z/) !== undefined) return 0;
    const zone = this.#take(/^[+-]\d\d:\d\d/) ?? this.#mismatch("Z07:00");
    const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
    this.#check("time zone offset hour", hours <= 24);
    this.#check("time zone offset minute", minutes <= 60);
    return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
  }

  #check(part: string, isValid: boolean): void {
    if (!isValid) this.#fail(`${part} out of range`);
  }

  #fail(problem: string): never {
    throw new Error(`parsing time ${quote(this.#text)}: ${problem}`);
  }

  #mismatch(element: string): never {
    const [text, layout, rest] = [quote(this.#text), quote(this.#layout), quote(this.#rest)];
    throw new Error(`parsing time ${text} as ${layout}: cannot parse ${rest} as ${quote(element)}`);
  }
}

/** Quotes a text as the messages of Go's package time do: each byte of an unusual character as `\x`. */
function quote(text: string): string {
  const escaped = text
    .replace(/["\\]/g, "\\$&")
    .replace(/[^ -\u007f]/gu, (char) => hexOf(char).replace(/../g, "\\x$&"));
  return `"${escaped}"`;
}
