// Paths in responses, and variables in steps.
import type { Json } from "@kubewright/cel/json";

/** Returns the value at a path such as `a.b[0].c`, `a[type=X].b`, `a[metadata/name=X].b` or `a["x.y"].b`, or undefined if it is absent. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  const parts = path.match(/\["[^"]*"\]|\[[^\]]*\]|[^.[\]]+/g) ?? [];
  return parts.reduce<Json | undefined>(partOf, value);
}

function partOf(value: Json | undefined, part: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const selector = /^\[([^"=\]]+)=([^\]]*)\]$/.exec(part);
  if (selector) {
    const [, key = "", wanted] = selector;
    const items = Array.isArray(value) ? value : [];
    return items.find((item) => String(key.split("/").reduce<Json | undefined>(memberOf, item)) === wanted);
  }
  return memberOf(value, part.replace(/^\["?|"?\]$/g, ""));
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Array.isArray(value) ? value[Number(key)] : value[key];
}

/** Replaces the variables in all texts and keys of a value: `%name%`, and `%x:N%` with N letters. */
export function withVariables<Value>(value: Value, variables: Readonly<Record<string, string>>): Value {
  return replaced(value, variables) as Value;
}

function replaced(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") {
    return value
      .replace(/%x:(\d+)%/g, (_match, count: string) => "x".repeat(Number(count)))
      .replace(/%([a-zA-Z][a-zA-Z0-9]*)%/g, (match, name: string) => variables[name] ?? match);
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, variables));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [replaced(key, variables), replaced(item, variables)]);
  return Object.fromEntries(entries);
}
