import type { Random } from "../../../scripts/test-support/random.ts";
import { quoted, text } from "./texts.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Generates a value in the marker grammar, for an argument of any type. */
export function anyValue(random: Random, depth = 2): string {
  switch (random.int(depth > 0 ? 8 : 5)) {
    case 0:
      return number(random);
    case 1:
      return random.pick(["true", "false"]);
    case 2:
      return random.pick(["abc", "100Mi", "1.2.3", "10s", "a-b", "http://x.example", "1e3", "0.5", "007"]);
    case 3:
    case 4:
      return quoted(random, text(random));
    case 5:
      return list(random, depth - 1);
    case 6:
      return map(random, depth - 1);
    default:
      return random.pick(["{}", '""', "{{1,2},{3}}", "{a: {b: 1}}"]);
  }
}

/** Generates a number that is valid for both a limit and an untyped argument. */
export function number(random: Random): string {
  return random.pick(["0", "1", "5", "-3", "65535", "2147483648", "100", "12345678901"]);
}

function list(random: Random, depth: number): string {
  const kind = random.int(3);
  const value = (): string => {
    if (kind === 0) return number(random).replace("-", "");
    return kind === 1 ? quoted(random, random.pick(["a", "b c", "d"])) : map(random, Math.max(0, depth - 1));
  };
  const items = Array.from({ length: 1 + random.int(3) }, value);
  return `{${items.join(",")}}`;
}

function map(random: Random, depth: number): string {
  const keys = random.some(["a", "b1", "kind", '"with blank"', "Zed"], 3);
  if (keys.length === 0) return "{x: y}";
  const value = (): string => {
    if (depth > 0 && random.chance(0.3)) return random.chance(0.5) ? list(random, depth - 1) : map(random, depth - 1);
    return random.pick(["1", "true", "text", '"quoted, text"', "`raw`", "25%"]);
  };
  return `{${keys.map((key) => `${key}: ${value()}`).join(", ")}}`;
}

/** Generates a JSON value for `+default=`. */
export function json(random: Random, depth = 2): string {
  return JSON.stringify(jsonValue(random, depth));
}

function jsonValue(random: Random, depth: number): Json {
  switch (random.int(depth > 0 ? 7 : 5)) {
    case 0:
      return random.pick([0, 1, -5, 1.5, 1e21, 12345678901]);
    case 1:
      return random.chance(0.5);
    case 2:
    case 3:
      return text(random).replaceAll(/[<>&\u2028]/g, "");
    case 4:
      return random.pick<Json>(["", "x", 3]);
    case 5:
      return Array.from({ length: random.int(3) }, () => jsonValue(random, depth - 1));
    default:
      return Object.fromEntries(random.some(["a", "b", "c d"], 3).map((key) => [key, jsonValue(random, depth - 1)]));
  }
}
