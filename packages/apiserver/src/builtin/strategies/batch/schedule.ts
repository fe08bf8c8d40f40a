import { DurationError, parseDuration } from "@kubewright/cel/duration";
import { goQuote } from "@kubewright/cel/json";

/** A part of a schedule that can't be read. */
class ScheduleError extends Error {}

interface Bounds {
  min: number;
  max: number;
  names?: Readonly<Record<string, number>>;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const bounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: Object.fromEntries(months.map((name, index) => [name, index + 1])) },
  { min: 0, max: 6, names: Object.fromEntries(days.map((name, index) => [name, index])) },
];
const descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

function parseNumber(text: string): number {
  if (/^[+-]?\d+$/.test(text)) {
    if (Number(text) < 0) throw new ScheduleError(`negative number (${Number(text)}) not allowed: ${text}`);
    return Number(text);
  }
  throw new ScheduleError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
}

function checkRange(expression: string, { min, max, names }: Bounds): void {
  const [range = "", step, ...moreSteps] = expression.split("/");
  const [low = "", high, ...moreEnds] = range.split("-");
  const value = (text: string): number => names?.[text.toLowerCase()] ?? parseNumber(text);
  let [start, end] = [min, max];
  if (low !== "*" && low !== "?") {
    start = value(low);
    end = high === undefined ? start : value(high);
    if (moreEnds.length > 0) throw new ScheduleError(`too many hyphens: ${expression}`);
  }
  let by = 1;
  if (step !== undefined) {
    if (moreSteps.length > 0) throw new ScheduleError(`too many slashes: ${expression}`);
    by = parseNumber(step);
    if (high === undefined) end = max;
  }
  if (start < min) throw new ScheduleError(`beginning of range (${start}) below minimum (${min}): ${expression}`);
  if (end > max) throw new ScheduleError(`end of range (${end}) above maximum (${max}): ${expression}`);
  if (start > end) {
    throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  }
  if (by === 0) throw new ScheduleError(`step of range should be a positive number: ${expression}`);
}

function checkDescriptor(text: string): void {
  if (descriptors.includes(text)) return;
  const every = "@every ";
  if (!text.startsWith(every)) throw new ScheduleError(`unrecognized descriptor: ${text}`);
  try {
    parseDuration(text.slice(every.length));
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new ScheduleError(`failed to parse duration ${text}: ${error.message}`);
  }
}

function check(schedule: string): void {
  if (schedule === "") throw new ScheduleError("empty spec string");
  let text = schedule;
  if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
    const end = text.indexOf(" ");
    const zone = text.slice(text.indexOf("=") + 1, end < 0 ? undefined : end);
    if (!isTimeZone(zone)) throw new ScheduleError(`provided bad location ${zone}: unknown time zone ${zone}`);
    text = text.slice(end).trim();
  }
  if (text.startsWith("@")) {
    checkDescriptor(text);
    return;
  }
  const fields = text
    .trim()
    .split(/\s+/)
    .filter((field) => field !== "");
  if (fields.length !== bounds.length) {
    const count = fields.length;
    throw new ScheduleError(`expected exactly ${bounds.length} fields, found ${count}: [${fields.join(" ")}]`);
  }
  for (const [index, field] of fields.entries()) {
    for (const range of field.split(",").filter((part) => part !== "")) checkRange(range, bounds[index] as Bounds);
  }
}

/** Reports whether a time zone is known. */
export function isTimeZone(zone: string): boolean {
  if (zone === "" || zone === "UTC" || zone === "Local") return true;
  // Go reads files, whose names have capital letters: each part of a name begins with one.
  if (/(?:^|\/)[a-z]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    const canonical = Intl.supportedValuesOf("timeZone").find((name) => name.toLowerCase() === zone.toLowerCase());
    return canonical === undefined || canonical === zone;
  } catch {
    return false;
  }
}

/**
 * Checks the schedule of a CronJob.
 *
 * @param schedule - for example `0 * * * *`
 * @returns why it can't be read; undefined if it can
 */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    check(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}
