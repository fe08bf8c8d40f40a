import { EvaluationError } from "../values/evaluation-error.ts";
import {
  Duration,
  ListValue,
  MapValue,
  Optional,
  Timestamp,
  TypeValue,
  typeName,
  Uint,
  type Value,
} from "../values/value.ts";
import {
  anyType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  structType,
  type Type,
  timestampType,
  typeParam,
  typeType,
  uintType,
} from "./type.ts";

/** The implementation of an overload. */
// biome-ignore lint/suspicious/noExplicitAny: the overload's signature guarantees the types of the arguments
export type Implementation = (...args: any[]) => Value;

/** One signature of a function. */
export interface Overload {
  readonly id: string;
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  /** The names of type parameters. */
  readonly params: readonly string[];
  readonly run: Implementation;
}

/** A function with its signatures. */
export interface FunctionDeclaration {
  name: string;
  overloads: Overload[];
}

/** Functions by name. */
export type Functions = Map<string, FunctionDeclaration>;

const named: Record<string, Type> = {
  any: anyType,
  dyn: dynType,
  null: nullType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  timestamp: timestampType,
  duration: durationType,
};

/**
 * Parses the notation of types in declarations.
 *
 * @param text - for example `map(string, list(int))`; a single capital letter is a type parameter
 * @returns the type
 */
export function parseType(text: string): Type {
  const open = text.indexOf("(");
  if (open < 0) {
    if (Object.hasOwn(named, text)) return named[text] as Type;
    if (text === "type") return typeType();
    if (/^[A-Z]$/.test(text)) return typeParam(text);
    return text.startsWith("net.") ? opaqueType(text) : structType(text);
  }
  const params = splitTypes(text.slice(open + 1, -1)).map(parseType) as [Type, Type];
  switch (text.slice(0, open)) {
    case "list":
      return listType(params[0]);
    case "map":
      return mapType(...params);
    case "optional":
      return optionalType(params[0]);
    default:
      return typeType(params[0]);
  }
}

function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const char of text) {
    if (char === "(") depth++;
    if (char === ")") depth--;
    if (char === "," && depth === 0) {
      parts.push(part.trim());
      part = "";
    } else part += char;
  }
  if (part.trim() !== "") parts.push(part.trim());
  return parts;
}

/** An overload in its notation, which is parsed when an expression first calls the function: most functions never are. */
class NotatedOverload implements Overload {
  readonly id: string;
  readonly member: boolean;
  readonly run: Implementation;
  readonly #signature: string;
  #parsed: Pick<Overload, "args" | "result" | "params"> | undefined;

  constructor(id: string, signature: string, run: Implementation) {
    this.id = id;
    this.member = signature.includes(".(");
    this.run = run;
    this.#signature = signature;
  }

  get args(): readonly Type[] {
    return this.#types().args;
  }

  get result(): Type {
    return this.#types().result;
  }

  get params(): readonly string[] {
    return this.#types().params;
  }

  #types(): Pick<Overload, "args" | "result" | "params"> {
    this.#parsed ??= parseSignature(this.#signature);
    return this.#parsed;
  }
}

function parseSignature(signature: string): Pick<Overload, "args" | "result" | "params"> {
  const [left, result] = signature.split(" -> ") as [string, string];
  const dot = left.indexOf(".(");
  const target = dot < 0 ? [] : [left.slice(0, dot)];
  const args = [...target, ...splitTypes(left.slice(left.indexOf("(", dot < 0 ? 0 : dot) + 1, -1))].map(parseType);
  return { args, result: parseType(result), params: [...new Set(signature.match(/\b[A-Z]\b/g) ?? [])] };
}

/**
 * Creates an overload from its notation.
 *
 * @param id - the id, which costs refer to
 * @param signature - for example `string.(string) -> bool` for a method or `(string) -> int` for a function
 * @param run - the implementation
 * @returns the overload
 */
export function overload(id: string, signature: string, run: Implementation): Overload {
  return new NotatedOverload(id, signature, run);
}

/**
 * Adds overloads to a function.
 *
 * @param functions - the functions
 * @param name - the function's name
 * @param overloads - id, notation and implementation of each overload
 */
export function define(functions: Functions, name: string, ...overloads: [string, string, Implementation][]): void {
  const declaration = functions.get(name) ?? { name, overloads: [] };
  functions.set(name, declaration);
  for (const [id, signature, run] of overloads) declaration.overloads.push(overload(id, signature, run));
}

/**
 * Tests whether a value can be an argument. The first items of lists and maps stand for all.
 *
 * @param type - the type of the parameter
 * @param value - the argument
 * @returns true if the type accepts the value
 */
export function accepts(type: Type, value: Value): boolean {
  switch (type.kind) {
    case "list":
      return value instanceof ListValue && (value.length === 0 || acceptsAll(type, () => [value.at(0)]));
    case "map":
      return value instanceof MapValue && (value.size === 0 || acceptsAll(type, () => firstEntry(value)));
    case "bool":
      return typeof value === "boolean";
    case "int":
      return typeof value === "bigint";
    case "uint":
      return value instanceof Uint;
    case "double":
      return typeof value === "number";
    case "string":
      return typeof value === "string";
    case "bytes":
      return value instanceof Uint8Array;
    case "null":
      return value === null;
    case "timestamp":
      return value instanceof Timestamp;
    case "duration":
      return value instanceof Duration;
    case "type":
      return value instanceof TypeValue;
    case "struct":
      return typeName(value) === type.name;
    case "opaque":
      return type.name === "optional_type" ? value instanceof Optional : typeName(value) === type.name;
    default:
      return true;
  }
}

function firstEntry(map: MapValue): Value[] {
  const [key] = map.keys();
  return key === undefined ? [] : [key, map.get(key) as Value];
}

/** Data that doesn't conform to its schema is of no type. */
function acceptsAll({ params }: Type, read: () => readonly Value[]): boolean {
  if (params.every(({ kind }) => kind === "dyn" || kind === "param")) return true;
  try {
    return read().every((value, index) => accepts(params[index] as Type, value));
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}
