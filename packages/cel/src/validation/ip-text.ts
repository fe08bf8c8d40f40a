import { goQuote } from "../json/go-text.ts";

/** An IP address: four or 16 bytes, and the zone, which is empty if there is none. */
export interface IPAddress {
  bytes: number[];
  zone: string;
}

/** Why a text isn't an IP address, in the words of Go's `netip.ParseAddr`. */
export class IPSyntaxError extends Error {}

function problem(text: string, message: string, at = ""): IPSyntaxError {
  return new IPSyntaxError(`ParseAddr(${goQuote(text)}): ${message}${at === "" ? "" : ` (at ${goQuote(at)})`}`);
}

/**
 * Parses an IP address as Go's `netip.ParseAddr` does.
 *
 * @param text - the address
 * @returns its bytes and its zone
 * @throws IPSyntaxError for any other text
 */
export function parseAddress(text: string): IPAddress {
  const [first] = /[.:%]/.exec(text) ?? [];
  if (first === ".") return { bytes: parseV4(text, text), zone: "" };
  if (first === ":") return parseV6(text);
  throw problem(text, first === "%" ? "missing IPv6 address" : "unable to parse IP");
}

/** Parses four decimal fields. `text` is the whole address, which errors name. */
function parseV4(text: string, part: string): number[] {
  const bytes: number[] = [];
  let digits = "";
  for (const [index, char] of [...part].entries()) {
    if (/\d/.test(char)) {
      if (digits === "0") throw problem(text, "IPv4 field has octet with leading zero");
      digits += char;
      if (Number(digits) > 255) throw problem(text, "IPv4 field has value >255");
    } else if (char === ".") {
      const isLast = index === part.length - 1;
      if (digits === "" || isLast) throw problem(text, "IPv4 field must have at least one digit", part.slice(index));
      if (bytes.length === 3) throw problem(text, "IPv4 address too long");
      bytes.push(Number(digits));
      digits = "";
    } else throw problem(text, "unexpected character", part.slice(index));
  }
  if (bytes.length < 3) throw problem(text, "IPv4 address too short");
  return [...bytes, Number(digits)];
}

function parseV6(text: string): IPAddress {
  const percent = text.indexOf("%");
  const zone = percent < 0 ? "" : text.slice(percent + 1);
  if (percent >= 0 && zone === "") throw problem(text, "zone must be a non-empty string");
  let rest = percent < 0 ? text : text.slice(0, percent);
  const bytes: number[] = [];
  /** The number of bytes before `::`. */
  let gap: number | undefined;
  if (rest.startsWith("::")) {
    gap = 0;
    rest = rest.slice(2);
  }
  while (bytes.length < 16 && (rest !== "" || gap === undefined)) {
    const digits = hexDigits(text, rest);
    if (rest[digits.length] === ".") {
      if (gap === undefined && bytes.length !== 12) {
        throw problem(text, "embedded IPv4 address must replace the final 2 fields of the address", rest);
      }
      if (bytes.length > 12) {
        throw problem(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest);
      }
      bytes.push(...parseV4(text, rest));
      rest = "";
      break;
    }
    const field = Number.parseInt(digits, 16);
    bytes.push(field >> 8, field & 255);
    rest = rest.slice(digits.length);
    if (rest === "") break;
    if (!rest.startsWith(":")) throw problem(text, "unexpected character, want colon", rest);
    if (rest === ":") throw problem(text, "colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (!rest.startsWith(":")) continue;
    if (gap !== undefined) throw problem(text, "multiple :: in address", rest);
    gap = bytes.length;
    rest = rest.slice(1);
  }
  if (rest !== "") throw problem(text, "trailing garbage after address", rest);
  if (bytes.length < 16 && gap === undefined) throw problem(text, "address string too short");
  if (bytes.length === 16 && gap !== undefined) {
    throw problem(text, "the :: must expand to at least one field of zeros");
  }
  const zeros = new Array<number>(16 - bytes.length).fill(0);
  return { bytes: [...bytes.slice(0, gap), ...zeros, ...bytes.slice(gap ?? 16)], zone };
}

/** Reads the digits at the beginning of the rest of an address. */
function hexDigits(text: string, rest: string): string {
  const [digits] = /^[0-9a-fA-F]*/.exec(rest) as RegExpExecArray;
  if (digits.length > 4) throw problem(text, "each group must have 4 or less digits", rest);
  if (digits === "") throw problem(text, "each colon-separated field must have at least one digit", rest);
  return digits;
}
