/** A kind of types; `opaque` includes `optional_type`. */
export type TypeKind =
  | "dyn"
  | "error"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration"
  | "list"
  | "map"
  | "type"
  | "struct"
  | "opaque"
  | "any"
  | "wrapper"
  | "param";

/** A type of CEL. Types without parameters are singletons, except structs, which are compared by name. */
export interface Type {
  readonly kind: TypeKind;
  readonly name: string;
  readonly params: readonly Type[];
}

const none: readonly Type[] = [];
const simple = (kind: TypeKind, name: string = kind): Type => ({ kind, name, params: none });

export const dynType: Type = simple("dyn");
export const errorType: Type = simple("error", "!error!");
export const nullType: Type = simple("null", "null_type");
export const boolType: Type = simple("bool");
export const intType: Type = simple("int");
export const uintType: Type = simple("uint");
export const doubleType: Type = simple("double");
export const stringType: Type = simple("string");
export const bytesType: Type = simple("bytes");
export const anyType: Type = simple("any", "google.protobuf.Any");
export const timestampType: Type = simple("timestamp", "google.protobuf.Timestamp");
export const durationType: Type = simple("duration", "google.protobuf.Duration");

/** @returns the type of lists of `element` */
export function listType(element: Type): Type {
  return { kind: "list", name: "list", params: [element] };
}

/** @returns the type of maps from `key` to `value` */
export function mapType(key: Type, value: Type): Type {
  return { kind: "map", name: "map", params: [key, value] };
}

/** @returns the type of the type `of`, or of any type */
export function typeType(of?: Type): Type {
  return { kind: "type", name: "type", params: of === undefined ? none : [of] };
}

/** @returns the type of optional values of `of` */
export function optionalType(of: Type): Type {
  return { kind: "opaque", name: "optional_type", params: [of] };
}

/** @returns an opaque type of a library */
export function opaqueType(name: string, ...params: Type[]): Type {
  return { kind: "opaque", name, params };
}

/** @returns a type with fields */
export function structType(name: string): Type {
  return { kind: "struct", name, params: none };
}

/** @returns a type parameter */
export function typeParam(name: string): Type {
  return { kind: "param", name, params: none };
}

/** @returns the type that also accepts null, as fields of wrapper messages have it */
export function wrapperType(of: Type): Type {
  return { kind: "wrapper", name: of.name, params: [of] };
}

/**
 * Formats a type as messages of the checker print it.
 *
 * @param type - the type
 * @returns for example `list(string)`, `optional_type(int)` or `type(int)`
 */
export function formatType(type: Type): string {
  if (type.kind === "wrapper") return `wrapper(${(type.params[0] as Type).name})`;
  if (["any", "duration", "null", "timestamp"].includes(type.kind)) return type.kind;
  if (type.params.length === 0) return type.name;
  return `${type.name}(${type.params.map(formatType).join(", ")})`;
}

/** @returns true if the types are the same, without conversions */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, index) => sameType(param, b.params[index] as Type));
}

/** @returns true for the type of optional values */
export function isOptionalType(type: Type): boolean {
  return type.kind === "opaque" && type.name === "optional_type";
}

/** Substitutions of type parameters. */
export type Mapping = Map<string, Type>;

/** Substitutions with the previous state of those that an attempt changed. */
interface Attempt {
  mapping: Mapping;
  changes: [param: string, previous: Type | undefined][];
}

function bind({ mapping, changes }: Attempt, param: string, type: Type): void {
  changes.push([param, mapping.get(param)]);
  mapping.set(param, type);
}

const isDyn = (type: Type): boolean => type.kind === "dyn" || type.kind === "any";

/** @returns true for types that the checker accepts everywhere */
export function isDynOrError(type: Type): boolean {
  return isDyn(type) || type.kind === "error";
}

/**
 * Replaces bound type parameters.
 *
 * @param mapping - the substitutions
 * @param type - any type
 * @param paramToDyn - true to replace unbound parameters by dyn
 * @returns the type without bound parameters
 */
export function substitute(mapping: Mapping, type: Type, paramToDyn: boolean): Type {
  if (type.kind === "param") {
    const bound = mapping.get(type.name);
    if (bound !== undefined) return substitute(mapping, bound, paramToDyn);
    return paramToDyn ? dynType : type;
  }
  if (type.params.length === 0) return type;
  return { ...type, params: type.params.map((param) => substitute(mapping, param, paramToDyn)) };
}

/**
 * Tests whether values of one type can be used for another, and binds type parameters if they can.
 *
 * @param mapping - the substitutions so far
 * @param from - the types of values
 * @param to - the types that are expected
 * @returns true if all types are assignable
 */
export function assign(mapping: Mapping, from: readonly Type[], to: readonly Type[]): boolean {
  const attempt: Attempt = { mapping, changes: [] };
  if (assignableList(attempt, from, to)) return true;
  for (const [param, previous] of attempt.changes.reverse()) {
    if (previous === undefined) mapping.delete(param);
    else mapping.set(param, previous);
  }
  return false;
}

function assignableList(attempt: Attempt, from: readonly Type[], to: readonly Type[]): boolean {
  return from.length === to.length && from.every((type, index) => assignable(attempt, type, to[index] as Type));
}

function assignable(attempt: Attempt, t1: Type, t2: Type): boolean {
  if (t2.kind === "param") {
    const { valid, bound } = substitutes(attempt, t1, t2);
    if (valid) return true;
    if (bound) return false;
  }
  if (t1.kind === "param") return substitutes(attempt, t2, t1).valid;
  if (isDynOrError(t1) || isDynOrError(t2)) return true;
  if (t1.kind === "null") return nullable(t2);
  if (t2.kind === "null") return nullable(t1);
  if (t1.kind === "wrapper" || t2.kind === "wrapper") {
    const unwrapped = (type: Type) => (type.kind === "wrapper" ? (type.params[0] as Type) : type);
    return t2.kind === "wrapper" && sameType(unwrapped(t1), unwrapped(t2));
  }
  if (t1.kind === "type") return t2.kind === "type";
  if (t1.kind === "list" || t1.kind === "map" || t1.kind === "opaque") {
    return t1.kind === t2.kind && t1.name === t2.name && assignableList(attempt, t1.params, t2.params);
  }
  return t1.kind === t2.kind && t1.name === t2.name;
}

function nullable(type: Type): boolean {
  return ["null", "opaque", "struct", "any", "duration", "timestamp", "wrapper"].includes(type.kind);
}

function substitutes(attempt: Attempt, t1: Type, t2: Type): { valid: boolean; bound: boolean } {
  if (t1.kind === t2.kind && sameType(t1, t2)) return { valid: true, bound: true };
  const bound = attempt.mapping.get(t2.name);
  if (bound !== undefined) {
    if (sameType(t1, bound)) return { valid: true, bound: true };
    if (!assignable(attempt, t1, bound)) return { valid: false, bound: true };
    const general = mostGeneral(t1, bound);
    if (!refersTo(attempt, t2, general)) bind(attempt, t2.name, general);
    return { valid: true, bound: true };
  }
  if (refersTo(attempt, t2, t1)) return { valid: false, bound: false };
  bind(attempt, t2.name, t1);
  return { valid: true, bound: false };
}

function refersTo(attempt: Attempt, param: Type, within: Type): boolean {
  if (sameType(param, within)) return true;
  if (within.kind === "param") {
    const bound = attempt.mapping.get(within.name);
    return bound !== undefined && refersTo(attempt, param, bound);
  }
  return within.params.some((inner) => refersTo(attempt, param, inner));
}

/** @returns the more general one of two types that can be assigned to each other */
export function mostGeneral(t1: Type, t2: Type): Type {
  return lessSpecific(t1, t2) ? t1 : t2;
}

function lessSpecific(t1: Type, t2: Type): boolean {
  if (isDyn(t1) || t1.kind === "param") return true;
  if (isDyn(t2) || t2.kind === "param") return false;
  if (t1.kind !== t2.kind) return false;
  if (t1.kind === "type") return true;
  if (t1.name !== t2.name || t1.params.length !== t2.params.length) return false;
  return t1.params.every((param, index) => lessSpecific(param, t2.params[index] as Type));
}

const literals: Record<string, Type> = {
  null_type: nullType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
};

/** @returns the type of literals whose values have a type of this name */
export function parseLiteralType(name: string): Type {
  return literals[name] ?? errorType;
}
