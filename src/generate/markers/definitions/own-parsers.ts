import type { OwnParser, ParseResult } from "../model/definition.ts";
import { parseFloat64, parseInteger } from "../model/go-values.ts";
import type { MarkerValue } from "../model/marker-value.ts";

/** Parses the rest of the line as one number, with exponent, infinity and NaN. */
export function wholeLineNumber(what: string): OwnParser {
  return (args) => {
    const { text, offset } = trimmed(args);
    const value = parseFloat64(text);
    return value === undefined ? invalid(what, text, offset) : { value };
  };
}

/** Parses the rest of the line as one decimal integer. */
export function wholeLineInteger(what: string): OwnParser {
  return (args) => {
    const { text, offset } = trimmed(args);
    const value = parseInteger(text);
    return value === undefined ? invalid(what, text, offset) : { value };
  };
}

function invalid(what: string, text: string, offset: number): ParseResult {
  const message = text === "" ? `invalid ${what} value: it is empty` : `invalid ${what} value ${JSON.stringify(text)}`;
  return { problem: { message, offset } };
}

function trimmed(args: string): { text: string; offset: number } {
  return { text: args.trim(), offset: args.length - args.trimStart().length };
}

/**
 * Parses the rest of the line as JSON. `ref(…)` refers to a Go constant, which can't be resolved, so it results in no
 * default.
 */
export const jsonDefault: OwnParser = (args) => {
  if (args.trimStart().startsWith("ref(")) return { value: null };
  const lead = args.length - args.trimStart().length;
  try {
    const value = JSON.parse(args, (_, part) => (part === Infinity || part === -Infinity ? outOfRange() : part));
    return { value: value as MarkerValue };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message);
    const offset = position ? Number(position[1]) : /end of JSON/i.test(message) ? args.length : lead;
    return {
      problem: { message: `the default is not valid JSON: ${message.replace(/ at position.*$/s, "")}`, offset },
    };
  }
};

function outOfRange(): never {
  throw new Error("a number is too large");
}
