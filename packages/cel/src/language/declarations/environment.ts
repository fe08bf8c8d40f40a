import type { Functions } from "./function.ts";
import { parseType } from "./function.ts";
import { enumValues, messages } from "./messages.ts";
import { intType, type Type, typeType } from "./type.ts";

/** Declarations by name. */
export interface Declarations<T> {
  get(name: string): T | undefined;
  /** The names, unless they are unlimited. */
  keys?(): Iterable<string>;
}

/** A type with fields. */
export interface StructDeclaration {
  fields: Declarations<Type>;
}

/** The names that an expression can refer to. */
export interface Environment {
  variables: ReadonlyMap<string, Type>;
  functions: Functions;
  /** Types with fields, by name. */
  structs: Declarations<StructDeclaration>;
}

const typeNames = new Map<string, Type>(
  Object.entries({
    bool: "bool",
    bytes: "bytes",
    double: "double",
    int: "int",
    list: "list(dyn)",
    map: "map(dyn, dyn)",
    null_type: "null",
    string: "string",
    type: "type",
    uint: "uint",
    optional_type: "optional(V)",
    "google.protobuf.Timestamp": "timestamp",
    "google.protobuf.Duration": "duration",
    "net.IP": "net.IP",
    "net.CIDR": "net.CIDR",
    "kubernetes.URL": "kubernetes.URL",
    "kubernetes.Quantity": "kubernetes.Quantity",
    "kubernetes.Semver": "kubernetes.Semver",
    "kubernetes.NamedFormat": "kubernetes.NamedFormat",
  }).map(([name, type]) => [name, typeType(parseType(type))]),
);

/**
 * Finds what a name refers to outside of comprehensions.
 *
 * @param environment - the names
 * @param name - a name, with dots if it is qualified
 * @returns its type, which is a type of types for the name of a type
 */
export function lookUp(environment: Environment, name: string): Type | undefined {
  const variable = environment.variables.get(name);
  if (variable !== undefined) return variable;
  if (environment.structs.get(name) !== undefined) return typeType(parseType(name));
  if (enumValues.has(name)) return intType;
  const message = messages.get(name);
  return message === undefined ? typeNames.get(name) : typeType(message.type);
}
