import { goQuote } from "../request/field-error.ts";

const layout = "2006-01-02T15:04:05Z07:00";

/**
 * Parses a time of RFC 3339 as Go's `time.Parse` does.
 *
 * @param text - for example `2026-01-02T03:04:05+01:00`
 * @returns the time in milliseconds since 1970
 * @throws Error with Go's message
 */
export function parseTime(text: string): number {
  let rest = text;
  const mismatch = (element: string): never => {
    throw new Error(
      `parsing time ${goQuote(text)} as ${goQuote(layout)}: cannot parse ${goQuote(rest)} as ${goQuote(element)}`,
    );
  };
  const range = (what: string): never => {
    throw new Error(`parsing time ${goQuote(text)}: ${what} out of range`);
  };
  const literal = (char: string): void => {
    if (!rest.startsWith(char)) mismatch(char);
    rest = rest.slice(1);
  };
  const digits = (count: number, element: string): number => {
    const part = rest.slice(0, count);
    if (part.length !== count || !/^\d+$/.test(part)) mismatch(element);
    rest = rest.slice(count);
    return Number(part);
  };
  const year = digits(4, "2006");
  literal("-");
  const month = digits(2, "01");
  if (month < 1 || month > 12) range("month");
  literal("-");
  const day = digits(2, "02");
  literal("T");
  const hour = digits(2, "15");
  if (hour > 23) range("hour");
  literal(":");
  const minute = digits(2, "04");
  if (minute > 59) range("minute");
  literal(":");
  const second = digits(2, "05");
  if (second > 59) range("second");
  const fraction = /^[.,]\d+/.exec(rest)?.[0] ?? "";
  rest = rest.slice(fraction.length);
  let offset = 0;
  if (rest.startsWith("Z")) rest = rest.slice(1);
  else {
    const zone = /^([+-])(\d{2}):(\d{2})/.exec(rest) ?? mismatch("Z07:00");
    offset = (zone[1] === "-" ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3]));
    rest = rest.slice(6);
  }
  if (rest !== "") throw new Error(`parsing time ${goQuote(text)}: extra text: ${goQuote(rest)}`);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day || day === 0) range("day");
  date.setUTCHours(hour, minute, second, fraction === "" ? 0 : Math.trunc(Number(`0.${fraction.slice(1)}`) * 1000));
  return date.getTime() - offset * 60_000;
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
