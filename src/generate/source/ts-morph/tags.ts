// The checker resolves `type Port = Int32` to `number`. To keep them distinct, the text for the checker has an enum in place
// of `number`. Conditional types treat both alike, and a number can still be assigned to the enum.

import type { AliasDeclaration, SourceFile, TypeExpr } from "../model.ts";
import type { Resolved } from "../resolve.ts";

/** A type that the checker would resolve to its scalar, by name and place of declaration. */
export interface Tagged {
  readonly name: string;
  /** The user's file, or the module of the runtime. */
  readonly file?: string;
  readonly specifier?: string;
}

/** The runtime's aliases of scalars, and the type of each. */
const scalars: Readonly<Record<string, "number" | "string">> = {
  Int32: "number",
  Int64: "number",
  Float32: "number",
  Float64: "number",
  Bytes: "string",
  Time: "string",
  MicroTime: "string",
  Duration: "string",
  UID: "string",
};

/** Creates tags. A tag is an identifier of the same length as the text that it replaces, so that no position changes. */
export interface Tags {
  /** Returns the text of a file with its scalar aliases tagged, and the declarations of the tags. */
  tag(file: SourceFile, text: string): { readonly text: string; readonly declarations: string };
  /** Returns the alias for the name of an enum; undefined if the name isn't a tag. */
  byName(name: string): Tagged | undefined;
  /** Returns the alias for a tag's value in a string, such as a property name; undefined for ordinary strings. */
  byValue(text: string): Tagged | undefined;
}

const mark = "\u0001";

/** Creates tags, which are valid for the whole run. */
export function createTags(resolve: (expr: TypeExpr & { kind: "ref" }) => Resolved): Tags {
  const byName = new Map<string, Tagged>();

  function scalarKind(type: TypeExpr, depth = 0): "number" | "string" | undefined {
    if (type.kind === "keyword") return type.name === "number" || type.name === "string" ? type.name : undefined;
    if (type.kind !== "ref" || type.args.length > 0 || depth > 20) return undefined;
    const resolved = resolve(type);
    if (resolved.kind === "module" && resolved.specifier.startsWith("@kubewright/runtime"))
      return scalars[resolved.name];
    if (resolved.kind !== "type" || resolved.declaration.kind !== "alias") return undefined;
    return resolved.declaration.parameters.length > 0 ? undefined : scalarKind(resolved.declaration.type, depth + 1);
  }

  function nextName(length: number): string | undefined {
    const name = `$${byName.size.toString(36)}$`;
    return name.length > length ? undefined : `${name.slice(0, -1)}${"$".repeat(length - name.length + 1)}`;
  }

  function replacement(declaration: AliasDeclaration, file: string) {
    const { type, parameters, name } = declaration;
    const kind = parameters.length > 0 || name.includes(".") ? undefined : scalarKind(type);
    if (kind === undefined || (type.kind !== "ref" && type.kind !== "keyword")) return undefined;
    const length = type.kind === "ref" ? type.text.length : type.name.length;
    const tag = nextName(length);
    if (tag === undefined) return undefined;
    byName.set(tag, { name, file });
    return { at: type.at, length, tag, declaration: enumeration(tag, kind) };
  }

  return {
    tag(file, text) {
      const starts = lineStarts(text);
      const changes = file.declarations.flatMap((declaration) =>
        declaration.kind === "alias" ? (replacement(declaration, file.path) ?? []) : [],
      );
      let result = text;
      for (const { at, length, tag } of changes) {
        const start = (starts[at.line - 1] ?? 0) + at.column - 1;
        result = result.slice(0, start) + tag + result.slice(start + length);
      }
      return { text: result, declarations: changes.map(({ declaration }) => declaration).join("") };
    },
    byName: (name) => byName.get(name) ?? ofRuntime(name),
    byValue(text) {
      if (!text.includes(mark)) return undefined;
      const name = text.slice(text.indexOf(mark) + 1, text.lastIndexOf(mark));
      return byName.get(name) ?? ofRuntime(name);
    },
  };
}

function enumeration(tag: string, kind: "number" | "string"): string {
  return `declare enum ${tag} { _${kind === "string" ? ` = ${JSON.stringify(mark + tag + mark)}` : ""} }\n`;
}

function ofRuntime(tag: string): Tagged | undefined {
  const name = /^\$\$(\w+?)(_number|_string)?$/.exec(tag)?.[1];
  return name === undefined ? undefined : { name, specifier: "@kubewright/runtime/api" };
}

/** Returns the declarations of the runtime's scalar aliases, tagged. */
export function runtimeScalars(): string {
  const plain = Object.entries(scalars).map(
    ([name, kind]) => `export type ${name} = $$${name};\n${enumeration(`$$${name}`, kind)}`,
  );
  const either = ["Quantity", "IntOrString"].map(
    (name) =>
      `export type ${name} = $$${name}_number | $$${name}_string;\n` +
      `${enumeration(`$$${name}_number`, "number")}${enumeration(`$$${name}_string`, "string")}`,
  );
  // These types are opaque: the checker must not resolve them.
  const opaque = ["JSONValue", "RawExtension"].map(
    (name) => `export type ${name} = $$${name};\n${enumeration(`$$${name}`, "number")}`,
  );
  return [...plain, ...either, ...opaque].join("");
}

/** Returns the offsets at which lines begin, by TypeScript's definition of a line. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(match.index + match[0].length);
  return starts;
}
