import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { quantityPattern } from "../../kubernetes/quantity.ts";
import { jsonLiteral } from "../../text/typescript.ts";
import { isPlainIntOrString, isStruct } from "./schema.ts";

/** The TypeScript form of a schema, without the types that it refers to. */
export interface Shape {
  /** The type, or the kind of type to create. */
  readonly type: string | "struct" | "map" | "list" | "empty";
  /** Exports of the runtime's API that the type needs. */
  readonly imports?: readonly string[];
  /** Keys of the schema that the type expresses. */
  readonly said?: readonly string[];
  /** The type, if a marker must set it. */
  readonly markedType?: string;
  /** Whether only markers can express the schema. Fields have a marker for that, other places don't. */
  readonly schemaless?: boolean;
}

/** Keys that don't restrict the allowed values. */
const harmless = new Set(["type", "format", "description", "nullable", "default", "title", "example"]);
const named = (name: string, ...said: string[]): Shape => ({ type: name, imports: [name], said });

/** Returns the TypeScript form of a schema. */
export function shapeOf(schema: JSONSchema): Shape {
  if (schema["x-kubernetes-int-or-string"] === true) return intOrString(schema);
  switch (schema.type) {
    case "string":
      return text(schema);
    case "integer":
      return integer(schema);
    case "number":
      return { type: "number", markedType: "number" };
    case "boolean":
      return { type: "boolean" };
    case "array":
      return schema.items === undefined
        ? { type: "unknown[]", schemaless: true, markedType: "array" }
        : { type: "list" };
    case "object":
      return object(schema);
    default:
      return schema["x-kubernetes-preserve-unknown-fields"] === true
        ? named("JSONValue", "x-kubernetes-preserve-unknown-fields")
        : { type: "unknown", schemaless: true };
  }
}

function intOrString(schema: JSONSchema): Shape {
  const flag = "x-kubernetes-int-or-string";
  if (!isPlainIntOrString(schema)) {
    const markedType = schema.type === undefined ? {} : { markedType: schema.type };
    return { type: "IntOrString", imports: ["IntOrString"], schemaless: true, ...markedType };
  }
  const limits = Object.keys(schema).filter((key) => !harmless.has(key) && key !== flag && key !== "anyOf");
  if (limits.length === 0) return named("IntOrString", flag, "anyOf");
  const quantity = limits.length === 1 && schema.pattern === quantityPattern;
  // With limits, the marker must repeat int-or-string: otherwise they would require a string.
  return quantity ? named("Quantity", flag, "anyOf", "pattern") : named("IntOrString", "anyOf");
}

function text(schema: JSONSchema): Shape {
  const values = schema.enum ?? [];
  if (schema.format === undefined && isUnion(values, (value) => typeof value === "string")) {
    return { type: values.map(jsonLiteral).join(" | "), said: ["enum"] };
  }
  const limited = Object.keys(schema).some((key) => !harmless.has(key));
  if (schema.format === "date-time" && !limited) return named("Time", "format");
  if (schema.format === "byte") return named("Bytes", "format");
  return { type: "string" };
}

/** Whether a union of literals expresses the values of an enumeration. It can't repeat a value, but a marker can. */
function isUnion(values: readonly unknown[], isLiteral: (value: unknown) => boolean): boolean {
  return values.length > 0 && new Set(values).size === values.length && values.every(isLiteral);
}

function integer(schema: JSONSchema): Shape {
  if (schema.format === "int32") return named("Int32", "format");
  if (schema.format === "int64") return named("Int64", "format");
  const values = schema.enum ?? [];
  if (schema.format === undefined && isUnion(values, Number.isSafeInteger)) {
    return { type: values.join(" | "), said: ["enum"] };
  }
  return { type: "number" };
}

function object(schema: JSONSchema): Shape {
  if (isStruct(schema)) return { type: "struct" };
  if (typeof schema.additionalProperties === "object") return { type: "map" };
  const keeps = "x-kubernetes-preserve-unknown-fields";
  const limits = Object.keys(schema).filter((key) => !harmless.has(key) && key !== keys.embedded && key !== keeps);
  if (schema[keeps] === true && limits.length === 0) return named("RawExtension", keeps);
  return { type: "empty", markedType: "object" };
}

const keys = { embedded: "x-kubernetes-embedded-resource" };
