import { RE2JS } from "re2js";
import { tryParseDuration } from "../duration/duration.ts";
import { byteLength } from "../json/bytes.ts";
import { isIPv4Text, isIPv6, parseCIDR } from "../validation/ip.ts";
import { isDNS1123Label, isDNS1123Subdomain } from "../validation/name-rules.ts";

const uuid = (third: string, fourth: string): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, "i");
const uuidAny = uuid("[0-9a-f]{4}", "[0-9a-f]{4}");
const uuid3 = uuid("3[0-9a-f]{3}", "[0-9a-f]{4}");
const uuid4 = uuid("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}");
const uuid5 = uuid("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}");
const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const colorPart = "\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
const rgbColor = new RegExp(`^rgb\\(${colorPart},${colorPart},${colorPart}\\)$`);
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const mac =
  /^(?:[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{40}|[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2}|(?:\1[0-9a-f]{2}){14})?|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?)$/i;
const hostnamePattern =
  "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$";
/** Compiled when the first schema needs it: its classes take 25 ms, a tenth of the server's start. */
let hostname: RE2JS | undefined;

/** The formats of strings that schemas of custom resources support, without dashes, with their checks. */
const stringFormats: Record<string, (text: string) => boolean> = {
  bsonobjectid: (text) => /^[0-9a-f]{24}$/i.test(text),
  uri: isRequestURI,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIPv4Text,
  ipv6: isIPv6,
  cidr: (text) => parseCIDR(text, true) !== undefined,
  mac: (text) => mac.test(text),
  uuid: (text) => uuidAny.test(text),
  uuid3: (text) => uuid3.test(text),
  uuid4: (text) => uuid4.test(text),
  uuid5: (text) => uuid5.test(text),
  isbn: (text) => isISBN10(text) || isISBN13(text),
  isbn10: isISBN10,
  isbn13: isISBN13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: (text) => rgbColor.test(text),
  byte: (text) => base64.test(text),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => isDNS1123Label(text).length === 0,
  k8slongname: (text) => isDNS1123Subdomain(text).length === 0,
};

/** The formats of each type that has any. */
const formatsOfTypes: Record<string, readonly string[]> = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/**
 * Returns the format that a schema's validation uses. A format that the type doesn't support is ignored.
 *
 * @param type - the type of the schema; empty for none
 * @param format - the format of the schema
 * @returns the format; empty for none
 */
export function supportedFormat(type: string, format: string): string {
  if (format === "") return "";
  if (type === "" || type === "string") return Object.hasOwn(stringFormats, format.replaceAll("-", "")) ? format : "";
  return formatsOfTypes[type]?.includes(format) ? format : "";
}

/**
 * Returns the check of a format of strings.
 *
 * @param format - the format
 * @returns the check, or `undefined` if the format doesn't exist
 */
export function stringFormat(format: string): ((text: string) => boolean) | undefined {
  const name = format.replaceAll("-", "");
  return Object.hasOwn(stringFormats, name) ? stringFormats[name] : undefined;
}

function isHostname(text: string): boolean {
  if (byteLength(text) > 255 || text.split(".").some((part) => byteLength(part) > 63)) return false;
  hostname ??= RE2JS.compile(hostnamePattern);
  return hostname.matcher(text).find();
}

function isISBN10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 10; index++) {
    sum += (index + 1) * (digits[index] === "X" ? 10 : Number(digits[index]));
  }
  return sum % 11 === 0;
}

function isISBN13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += (index % 2 === 0 ? 1 : 3) * Number(digits[index]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!creditCard.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

function isDateTime(text: string): boolean {
  if (byteLength(text) < 4) return false;
  const [date, time] = text.toLowerCase().split("t");
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(time);
  return match !== null && match[1]! <= "23" && match[2]! <= "59" && match[3]! <= "59";
}

/** The names of units, the last of which may be continued, and their nanoseconds. */
const units: readonly [names: readonly string[], nanoseconds: bigint][] = [
  [["ns", "nano"], 1n],
  [["us", "µs", "micro"], 1000n],
  [["ms", "milli"], 1_000_000n],
  [["s", "sec"], 1_000_000_000n],
  [["m", "min"], 60_000_000_000n],
  [["h", "hr", "hour"], 3_600_000_000_000n],
  [["d", "day"], 86_400_000_000_000n],
  [["w", "wk", "week"], 604_800_000_000_000n],
];

function isDuration(text: string): boolean {
  return tryParseDuration(text) !== undefined || namedDuration(text) !== undefined;
}

/**
 * Parses a duration of words, for example `3 days`.
 *
 * @param text - the duration
 * @returns its nanoseconds, or undefined if the text has no unit
 */
export function namedDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, digits, name] of text.matchAll(/(\d+)(?:\s*([A-Za-zµ]+))?/g)) {
    if (name === undefined) continue;
    const significant = digits!.replace(/^0+/, "");
    const factor = significant.length > 19 ? undefined : BigInt(significant);
    if (factor === undefined || factor > 9223372036854775807n) return undefined;
    const unit = name.toLowerCase();
    for (const [names, nanoseconds] of units) {
      const matching = names.filter((name) => name === unit || (name === names.at(-1) && unit.startsWith(name)));
      if (matching.length > 0) total = (total ?? 0n) + factor * nanoseconds * BigInt(matching.length);
    }
  }
  // Go's integers wrap around.
  return total && BigInt.asIntN(64, total);
}

function isEmail(text: string): boolean {
  const address = /^(?:[^<>@]*|"(?:[^"\\]|\\.)*"\s*)<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.trim();
  const split = address.lastIndexOf("@");
  if (split <= 0) return false;
  const local = address.slice(0, split);
  const domain = address.slice(split + 1);
  const atoms =
    /^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+(?:\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}-]+)*$/u;
  const localOk = atoms.test(local) || /^"(?:[^"\\\r\n]|\\[^\r\n])*"$/.test(local);
  return localOk && (atoms.test(domain) || /^\[[!-Z^-~]*\]$/.test(domain));
}

/** Checks an absolute URI or an absolute path, as `url.ParseRequestURI` of Go does. */
function isRequestURI(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
  if (text === "" || /[\u0000-\u001f\u007f]/.test(text)) return false;
  if (text === "*") return true;
  if (text.startsWith(":")) return false;
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)?.[0] ?? "";
  const rest = text.slice(scheme.length).split("?", 1)[0] as string;
  if (!rest.startsWith("/")) return scheme !== "";
  let path = rest;
  if (scheme !== "" && rest.startsWith("//")) {
    const end = rest.indexOf("/", 2);
    const authority = end === -1 ? rest.slice(2) : rest.slice(2, end);
    path = end === -1 ? "" : rest.slice(end);
    if (!isAuthority(authority)) return false;
  }
  return !/%(?![0-9a-fA-F]{2})/.test(path);
}

function isAuthority(authority: string): boolean {
  const split = authority.lastIndexOf("@");
  if (split !== -1 && !/^(?:[a-zA-Z0-9._:~!$&'()*+,;=@-]|%[0-9a-fA-F]{2})*$/.test(authority.slice(0, split)))
    return false;
  const host = authority.slice(split + 1);
  if (host.startsWith("[")) {
    const end = host.lastIndexOf("]");
    return end !== -1 && /^(?::\d*)?$/.test(host.slice(end + 1)) && !/[\s\\^`{|}]/.test(host);
  }
  if (/%(?![89a-fA-F][0-9a-fA-F])/.test(host) || /[ \\^`{|}]/.test(host)) return false;
  const colon = host.indexOf(":");
  return colon === -1 || /^\d*$/.test(host.slice(host.lastIndexOf(":") + 1));
}
