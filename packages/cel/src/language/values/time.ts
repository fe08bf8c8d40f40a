import { EvaluationError } from "./evaluation-error.ts";
import { LimitedMap } from "./limited-map.ts";
import { Duration, Timestamp } from "./value.ts";

const second = 1_000_000_000n;
/** The first nanosecond of the year 1, the zero of Go. */
export const minTimestamp: bigint = -62_135_596_800n * second;
const maxTimestamp = 253_402_300_800n * second - 1n;

/** @returns the timestamp, or throws if it isn't in the years 1 to 9999 */
export function timestamp(nanos: bigint, zone?: string): Timestamp {
  if (nanos < minTimestamp || nanos > maxTimestamp) throw new EvaluationError("timestamp overflow");
  return new Timestamp(nanos, zone);
}

/** @returns the duration, or throws if its nanoseconds don't fit into 64 bits */
export function duration(nanos: bigint): Duration {
  if (nanos !== BigInt.asIntN(64, nanos)) throw new EvaluationError("integer overflow");
  return new Duration(nanos);
}

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[T](\d{2}):(\d{2}):(\d{2})([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses a time in RFC 3339.
 *
 * @param text - for example `2024-01-02T03:04:05.6Z`
 * @returns nanoseconds since 1970, or undefined if the text isn't valid
 */
export function parseTime(text: string): bigint | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, seconds] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || month < 1) return undefined;
  if (hour > 23 || minute > 59 || seconds > 59) return undefined;
  const zone = match[8] as string;
  let offset = 0;
  if (zone !== "Z") {
    if (Number(zone.slice(1, 3)) > 24 || Number(zone.slice(4)) > 60) return undefined;
    offset = zoneMinutes(zone);
  }
  const fraction = BigInt((match[7] ?? ".").slice(1, 10).padEnd(9, "0"));
  const base = BigInt(date.getTime()) / 1000n + BigInt(hour * 3600 + (minute - offset) * 60 + seconds);
  return base * second + fraction;
}

/** @returns the zone at the end of a time in RFC 3339, for example `+02:00`; `Z` for UTC */
export function zoneOf(text: string): string {
  const zone = /[+-]\d{2}:\d{2}$/.exec(text)?.[0];
  return zone === undefined || /00:00$/.test(zone) ? "Z" : zone;
}

function zoneMinutes(zone: string): number {
  if (zone === "Z") return 0;
  return (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))) * (zone.startsWith("-") ? -1 : 1);
}

/** @returns the time in RFC 3339 in its zone, with the fraction that it has */
export function formatTime({ nanos, zone }: Timestamp): string {
  const fraction = ((nanos % second) + second) % second;
  const seconds = Number((nanos - fraction) / second) + zoneMinutes(zone) * 60;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return `${text}${
    fraction === 0n
      ? ""
      : `.${String(fraction)
          .padStart(9, "0")
          .replace(/(?<!0)0+$/, "")}`
  }${zone}`;
}

/** @returns the seconds of a duration with an `s`, as conversions to string print it */
export function formatDuration({ nanos }: Duration): string {
  // Go adds two doubles, whose sum is written without an exponent.
  const seconds = Number(nanos / second) + Number(nanos % second) / 1e9;
  const text = String(seconds);
  return `${text.includes("e") ? seconds.toFixed(9) : text}s`;
}

const fixedZone = /^([+-]?)(\d\d):(\d\d)$/;
/** Zones come from objects, too, in any combination of uppercase and lowercase. */
const formats = new LimitedMap<string, Intl.DateTimeFormat>(100);

/**
 * Converts a time to the wall clock of a zone.
 *
 * @param time - the time
 * @param zone - an offset such as `+02:30` or the name of a zone
 * @returns a date whose UTC fields are those of the zone
 * @throws EvaluationError for unknown zones
 */
export function inZone(time: Timestamp, zone: string): Date {
  const fraction = ((time.nanos % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const date = new Date(Number((time.nanos - fraction) / 1_000_000n));
  if (zone === "" || zone === "UTC") return date;
  const fixed = fixedZone.exec(zone);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return new Date(date.getTime() + minutes * 60_000 * (fixed[1] === "-" ? -1 : 1));
  }
  const format = formats.get(zone) ?? zoneFormat(zone);
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(date).map((part) => [part.type, Number(part.value)]));
  const wall = new Date(0);
  wall.setUTCFullYear(parts.year as number, (parts.month as number) - 1, parts.day);
  wall.setUTCHours(parts.hour as number, parts.minute, parts.second, date.getUTCMilliseconds());
  return wall;
}

function zoneFormat(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
}
