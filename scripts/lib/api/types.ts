// Generates type expressions and comments.
import { handWritten, moduleOf, splitReference, type TypePackages, type TypeSchema } from "./data.ts";

/** The imports of a module that is generated. */
export interface Imports {
  /** The Go package of the module. */
  readonly goPackage: string;
  /** Imports a name of another module, and returns its name in this one. */
  use(module: string, name: string): string;
  /** Returns the import statements. */
  lines(): string[];
}

/** The place of a type: its package, and the module that imports what it needs. */
export interface TypeContext {
  readonly goPackage: string;
  readonly packages: TypePackages;
  readonly imports: Imports;
}

export const quote = (text: string): string => JSON.stringify(text);

/** Converts a schema to a TypeScript type. */
export function typeText(schema: TypeSchema, context: TypeContext): string {
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
      const item = typeText(schema.items ?? {}, context);
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

function referenceText(reference: string, context: TypeContext): string {
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
export function namedType(schema: TypeSchema, values: readonly string[] | undefined, context: TypeContext): string {
  if (schema.type === "string" && values) return [...values.map(quote), "(string & {})"].join(" | ");
  return typeText(schema, context);
}

/** Returns a doc comment, or an empty string without a text. */
export function comment(text: string | undefined, indent: string): string {
  if (!text) return "";
  const lines = text
    .replaceAll("*/", "*\\/")
    .split("\n")
    .map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}
