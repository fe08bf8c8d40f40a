import { isIP, isIPv4, isIPv6 } from "node:net";

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const HOST_LABELS =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
const GO_DURATION = /^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;
const WORD_DURATION = /^((\d+)\s*([A-Za-zµ]+))(\s*\d+\s*[A-Za-zµ]+)*$/;
const DURATION_UNITS =
  /^(ns|nano|nanos|nanosecond|nanoseconds|us|µs|micro|micros|microsecond|microseconds|ms|milli|millis|millisecond|milliseconds|s|sec|secs|second|seconds|m|min|mins|minute|minutes|h|hr|hrs|hour|hours|d|day|days|w|week|weeks|wk|wks)$/;

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (!year) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [, date = "", hours, minutes, seconds] =
    /^(\d{4}-\d{2}-\d{2})[tT](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[zZ]|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  return isDate(date) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
}

function isDuration(text: string): boolean {
  if (GO_DURATION.test(text)) return true;
  if (!WORD_DURATION.test(text)) return false;
  return [...text.matchAll(/[A-Za-zµ]+/g)].every(([unit]) => DURATION_UNITS.test(unit.toLowerCase()));
}

function isCidr(text: string): boolean {
  const [, address = "", prefix] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128);
}

// Accepts the forms of Go's mail addresses: `a@b`, `Name <a@b>`.
function isEmail(text: string): boolean {
  const address = /^[^<>]*<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\uffff-]+";
  return new RegExp(`^(?:${atom}(?:\\.${atom})*|"(?:[^"\\\\]|\\\\.)*")@(?:${atom}(?:\\.${atom})*|\\[[^\\]]*\\])$`).test(
    address,
  );
}

function isUri(text: string): boolean {
  if (/[\s\p{Cc}]/u.test(text)) return false;
  return text.startsWith("/") || /^[A-Za-z][A-Za-z0-9+.-]*:(?!$)/.test(text);
}

function digitSum(text: string, length: number, weigh: (digit: number, place: number) => number): number | undefined {
  const digits = text.replaceAll(/[\s-]/g, "").toUpperCase();
  if (digits.length !== length || !/^\d+[\dX]$/.test(digits)) return undefined;
  return [...digits].reduce((sum, digit, place) => sum + weigh(digit === "X" ? 10 : Number(digit), place), 0);
}

const isIsbn10: Check = (text) => {
  const sum = digitSum(text, 10, (digit, place) => digit * (10 - place));
  return sum !== undefined && sum % 11 === 0;
};
const isIsbn13: Check = (text) => {
  const sum = /X/i.test(text) ? undefined : digitSum(text, 13, (digit, place) => digit * (place % 2 === 0 ? 1 : 3));
  return sum !== undefined && sum % 10 === 0;
};

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D+/g, "");
  if (!CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** The string formats that API servers check, without dashes. All others pass. */
const CHECKS: Readonly<Record<string, Check>> = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isUri,
  email: isEmail,
  hostname: (text) =>
    HOST_LABELS.test(text) && text.length <= 255 && text.split(".").every((label) => label.length <= 63),
  ipv4: (text) => isIPv4(text.replaceAll(/(^|\.)0+(?=\d)/g, "$1")),
  ipv6: (text) => isIPv6(text) && !text.includes("%"),
  cidr: isCidr,
  mac: matches(
    /^([\da-fA-F]{2}([:-])([\da-fA-F]{2}\2){4}([\da-fA-F]{2}\2){0,0}[\da-fA-F]{2}|([\da-fA-F]{4}\.){2}[\da-fA-F]{4}|([\da-fA-F]{2}[:-]){7}[\da-fA-F]{2})$/,
  ),
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matches(
    /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/,
  ),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
};

/** Checks whether a string has a format. Formats that API servers don't check pass. */
export function hasFormat(format: string, text: string): boolean {
  const name = format.replaceAll("-", "");
  return Object.hasOwn(CHECKS, name) ? CHECKS[name]!(text) : true;
}

/** Checks whether API servers validate a string format. */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(CHECKS, format.replaceAll("-", ""));
}
