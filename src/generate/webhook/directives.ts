import { below, isObject, type Json, type JsonObject, ShapeProblem } from "./decode.ts";
import { DELETE_LIST, SET_ORDER } from "./directive-keys.ts";
import type { Shape } from "./shape.ts";

/**
 * Checks the directives of a strategic merge patch and returns the patch without them, to be checked as if it were the
 * object itself. Unknown directives stay, and fail as unknown keys.
 */
export function validateDirectives(value: Json, shape: Shape, path = ""): Json {
  if (Array.isArray(value)) {
    const item = shape.kind === "list" ? shape.item : shape;
    return value.map((each, index) => validateDirectives(each, item, `${path}[${index}]`));
  }
  if (!isObject(value)) return value;
  const rest: Record<string, Json> = {};
  for (const [key, part] of Object.entries(value)) {
    if (checkDirective(key, part, shape, path)) continue;
    rest[key] = shape.kind === "struct" ? validateDirectives(part, fieldShape(shape, key), below(path, key)) : part;
  }
  return rest;
}

/** Returns whether a key is a directive. Throws if it is an invalid one. */
function checkDirective(key: string, value: Json, shape: Shape, path: string): boolean {
  const problem = (message: string) => new ShapeProblem(below(path, key), message);
  if (key === "$patch") {
    if (value === "delete" || value === "replace") return true;
    throw problem(`expected "delete" or "replace", got ${JSON.stringify(value)}`);
  }
  const prefix = [SET_ORDER, DELETE_LIST].find((each) => key.startsWith(each));
  if (key !== "$retainKeys" && prefix === undefined) return false;
  if (!Array.isArray(value)) throw problem(`expected a list, got ${JSON.stringify(value)}`);
  if (prefix === undefined) return true;
  const name = key.slice(prefix.length);
  const target = shape.kind === "struct" && Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
  if (target?.shape.kind === "list") return true;
  throw problem(`unknown list ${JSON.stringify(name)}`);
}

function fieldShape(shape: Shape & { kind: "struct" }, key: string): Shape {
  return Object.hasOwn(shape.fields, key) ? (shape.fields[key]?.shape ?? shape) : shape;
}

/** Returns the value that a patch adds: without objects that are directives, and without null values. */
export function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const kept = withoutDirectives(item);
      return kept === undefined ? [] : [kept];
    });
  }
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, "$patch")) return undefined;
  const kept: Record<string, Json> = {};
  for (const [key, part] of Object.entries(value as JsonObject)) {
    const taken = part === null ? undefined : withoutDirectives(part);
    if (taken !== undefined) kept[key] = taken;
  }
  return kept;
}
