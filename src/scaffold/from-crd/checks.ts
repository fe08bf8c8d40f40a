import { jsonLiteral } from "../../text/typescript.ts";

/** Where a value is in a document: its key, and where that is. */
export interface Path {
  readonly parent: Path | undefined;
  readonly key: string | number;
}

/** A value that isn't what a definition may hold. */
export class Malformed extends Error {
  /** @param rule the end of the sentence, such as `must be a string` */
  constructor(at: Path | undefined, value: unknown, rule: string) {
    super(`${at === undefined ? "it" : pathText(at)} is ${valueText(value)}, and ${rule}`);
  }
}

/** Gives a value as the type that it must have. Throws {@link Malformed} for any other value. */
export type Check<T> = (value: unknown, at: Path | undefined) => T;

type Values = Readonly<Record<string, unknown>>;

export const text: Check<string> = (value, at) => {
  if (typeof value !== "string") throw new Malformed(at, value, "must be a string");
  // The API server replaces halves of surrogate pairs, too.
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

/** An integer of so many bits. */
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
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw new Malformed(at, value, `must be ${allowed.join(" or ")}`);
    return found;
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

/** Any value of JSON. */
export const json: Check<unknown> = (value, at) => {
  if (Array.isArray(value)) return list(json)(value, at);
  if (typeof value === "object" && value !== null) return record(json)(value, at);
  if (typeof value === "number" || typeof value === "bigint") return number(value, at);
  return typeof value === "string" ? text(value, at) : value;
};

/** Keys whose `null` is a value of its own; everywhere else it is as good as no key. */
const nullable = new Set<Check<unknown>>([json]);

/**
 * A map with known keys. A key without a value is left out unless it is required.
 *
 * @param others what becomes of the other keys: left out, or kept if they are JSON
 */
export function object<T extends object>(
  fields: { readonly [K in keyof T]-?: Check<T[K]> },
  others: "drop" | "keep" = "drop",
  required: readonly (keyof T & string)[] = [],
): Check<T> {
  const checks = fields as Readonly<Record<string, Check<unknown>>>;
  return (value, at) => {
    const found = values(value, at);
    for (const key of required) checks[key]?.(found[key], { parent: at, key });
    const entries = Object.entries(found).flatMap(([key, each]) => {
      const check = Object.hasOwn(checks, key) ? checks[key] : others === "keep" ? json : undefined;
      if (check === undefined || (each === null && !nullable.has(check)) || each === undefined) return [];
      return [[key, check(each, { parent: at, key })] as const];
    });
    return Object.fromEntries(entries) as T;
  };
}

function values(value: unknown, at: Path | undefined): Values {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Values;
  throw new Malformed(at, value, "must be a map");
}

/** `spec.versions[0].name`; a key that isn't a word is in quotes. */
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
