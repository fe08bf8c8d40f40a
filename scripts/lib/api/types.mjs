// Generates type expressions and comments.
import { handWritten, moduleOf, splitReference } from "./data.mjs";

export const quote = (text) => JSON.stringify(text);

/** Converts a schema to a TypeScript type. `context` is { goPackage, packages, imports }. */
export function typeText(schema, context) {
  const { imports } = context;
  if (schema.$ref !== undefined) return referenceText(schema.$ref, context);
  if (schema["x-kubernetes-int-or-string"]) return imports.use("index", schema.pattern ? "Quantity" : "IntOrString");
  switch (schema.type) {
    case "string":
      if (schema.format === "byte") return imports.use("index", "Bytes");
      return schema.format === "date-time" ? imports.use("index", "Time") : "string";
    case "integer":
      if (schema.format === undefined) return "number";
      return imports.use("index", schema.format === "int32" ? "Int32" : "Int64");
    case "number":
      return imports.use("index", "Float64");
    case "boolean":
      return "boolean";
    case "array": {
      const item = typeText(schema.items, context);
      return /^[\w$]+(\[\])*$|^Record</.test(item) ? `${item}[]` : `(${item})[]`;
    }
    case "object": {
      const values = schema.additionalProperties;
      if (!values) return "{ [key: string]: unknown }";
      return `Record<string, ${values === true ? "unknown" : typeText(values, context)}>`;
    }
    default:
      return "unknown";
  }
}

function referenceText(reference, context) {
  const target = splitReference(reference, context.goPackage);
  const key = `${target.goPackage}.${target.name}`;
  const written = handWritten.get(key);
  if (written !== undefined) return context.imports.use("index", written);
  if (target.goPackage === context.imports.goPackage) return target.name;
  const module = moduleOf(target.goPackage);
  if (module !== undefined) return context.imports.use(module, target.name);
  // Small types of helper packages that don't have their own module.
  const schema = context.packages.get(target.goPackage)?.schemas[target.name];
  if (!schema || schema.properties) throw new Error(`${key} has no place in the runtime's API`);
  return typeText(schema, { ...context, goPackage: target.goPackage });
}

/** Suggests known values but accepts others, because a newer server may have more. */
export function namedType(schema, values, context) {
  if (schema.type === "string" && values) return [...values.map(quote), "(string & {})"].join(" | ");
  return typeText(schema, context);
}

/** Returns a doc comment, or an empty string without a text. */
export function comment(text, indent) {
  if (!text) return "";
  const lines = text
    .replaceAll("*/", "*\\/")
    .split("\n")
    .map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}
