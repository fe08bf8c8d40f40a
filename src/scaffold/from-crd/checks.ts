import { jsonLiteral } from "../../text/typescript.ts";
import { isMap } from "../text/maps.ts";

/** The path of a value in a document: its key, and the path of its parent. */
export interface Path {
  readonly parent: Path | undefined;
  readonly key: string | number;
}

/** A value that isn't valid in a CRD. */
export class Malformed extends Error {
  /** @param rule the end of the sentence, such as `must be a string` */
  constructor(at: Path | undefined, value: unknown, rule: string) {
    super(`${at === undefined ? "it" : pathText(at)} is ${valueText(value)}, and ${rule}`);
  }
}

/**
 * Returns a value with the required type.
 *
 * @throws {@link Malformed} for any other value
 */
export type Check<T> = (value: unknown, at: Path | undefined) => T;

type Values = Readonly<Record<string, unknown>>;

export const text: Check<string> = (value, at) => {
  if (typeof value !== "string") throw new Malformed(at, value, "must be a string");
  // The API server also replaces unpaired surrogates.
  return value.replace(/\p{Cs}/gu, "\ufffd");
};

export const nonEmptyText: Check<string> = (value, at) => {
  if (value === "" || value === undefined || value === null) throw new Malformed(at, value, "is required");
  return text(value, at);
};

export const flag: Check<boolean> = (value, at) => {
  if (typeof value !== "boolean") throw new Malformed(at, value, "must be true or false");
  return value;
};

export const number: Check<number | bigint> = (value, at) => {
  if (typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value))) return value;
  throw new Malformed(at, value, "must be a finite number");
};

/** Checks for an integer with this number of bits. */
export function integer(bits: 32 | 64): Check<number | bigint> {
  const most = 2n ** BigInt(bits - 1) - 1n;
  return (value, at) => {
    const whole = typeof value === "bigint" || Number.isInteger(value) ? BigInt(value as number) : undefined;
    if (whole !== undefined && whole >= -most - 1n && whole <= most) return value as number | bigint;
    throw new Malformed(at, value, `must be an integer of ${bits} bits`);
  };
}

export function oneOf<T extends string>(...allowed: readonly T[]): Check<T> {
  return (value, at) => {
    const choice = allowed.find((each) => each === value);
    if (choice === undefined) throw new Malformed(at, value, `must be ${allowed.join(" or ")}`);
    return choice;
  };
}

export function list<T>(item: Check<T>): Check<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new Malformed(at, value, "must be a list");
    return value.map((each: unknown, index) => item(each, { parent: at, key: index }));
  };
}

export function record<T>(item: Check<T>): Check<Record<string, T>> {
  return (value, at) =>
    Object.fromEntries(Object.entries(values(value, at)).map(([key, each]) => [key, item(each, { parent: at, key })]));
}

/** Accepts any JSON value. */
export const json: Check<unknown> = (value, at) => {
  if (Array.isArray(value)) return list(json)(value, at);
  if (typeof value === "object" && value !== null) return record(json)(value, at);
  if (typeof value === "number" || typeof value === "bigint") return number(value, at);
  return typeof value === "string" ? text(value, at) : value;
};

/** Checks that accept `null` as a value. Everywhere else, `null` is the same as a missing key. */
const nullable = new Set<Check<unknown>>([json]);

/**
 * Checks for a map with known keys. A key without a value is dropped unless it is required.
 *
 * @param others whether to drop unknown keys, or to keep those with JSON values
 */
export function object<T extends object>(
  fields: { readonly [K in keyof T]-?: Check<T[K]> },
  others: "drop" | "keep" = "drop",
  required: readonly (keyof T & string)[] = [],
): Check<T> {
  const checks = fields as Readonly<Record<string, Check<unknown>>>;
  return (value, at) => {
    const read = values(value, at);
    for (const key of required) checks[key]?.(read[key], { parent: at, key });
    const entries = Object.entries(read).flatMap(([key, each]) => {
      const check = Object.hasOwn(checks, key) ? checks[key] : others === "keep" ? json : undefined;
      if (check === undefined || (each === null && !nullable.has(check)) || each === undefined) return [];
      return [[key, check(each, { parent: at, key })] as const];
    });
    return Object.fromEntries(entries) as T;
  };
}

function values(value: unknown, at: Path | undefined): Values {
  if (isMap(value)) return value;
  throw new Malformed(at, value, "must be a map");
}

/** Formats a path: `spec.versions[0].name`. A key that isn't an identifier is quoted. */
function pathText({ parent, key }: Path): string {
  const before = parent === undefined ? "" : pathText(parent);
  if (typeof key === "number") return `${before}[${key}]`;
  if (/^[\w$-]+$/.test(key)) return before === "" ? key : `${before}.${key}`;
  return `${before}[${jsonLiteral(key)}]`;
}

function valueText(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a map";
  const shown = typeof value === "number" ? String(value) : jsonLiteral(value);
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown;
}
