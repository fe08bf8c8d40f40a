// `type Port = Int32` is nothing but `number` to the checker. So that it keeps the two apart, it is shown an enumeration in
// place of `number`: to a conditional type one is as good as the other, and a number can still be assigned to it.

import type { AliasDeclaration, SourceFile, TypeExpr } from "../model.ts";
import type { Resolved } from "../resolve.ts";

/** A type that the checker would see through: where it is declared and what it is called. */
export interface Tagged {
  readonly name: string;
  /** The user's file, or the module of the runtime. */
  readonly file?: string;
  readonly specifier?: string;
}

/** Aliases of the runtime that stand for scalars, and of what kind these are. */
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

/** Hands out tags. A tag is an identifier as long as the text that it replaces, so that no position changes. */
export interface Tags {
  /** The text of a file with its scalar aliases tagged, and the declarations of the tags. */
  tag(file: SourceFile, text: string): { readonly text: string; readonly declarations: string };
  /** The alias behind the name of an enumeration; undefined if that is no tag. */
  byName(name: string): Tagged | undefined;
  /** The alias whose value a text is, such as a property name; undefined for ordinary texts. */
  byValue(text: string): Tagged | undefined;
}

const mark = "\u0001";

/** Makes tags that are the same for the whole run. */
export function createTags(resolve: (expr: TypeExpr & { kind: "ref" }) => Resolved): Tags {
  const byName = new Map<string, Tagged>();

  function scalarKind(type: TypeExpr, depth = 0): "number" | "string" | undefined {
    if (type.kind === "keyword") return type.name === "number" || type.name === "string" ? type.name : undefined;
    if (type.kind !== "ref" || type.args.length > 0 || depth > 20) return undefined;
    const found = resolve(type);
    if (found.kind === "module" && found.specifier.startsWith("@kubewright/runtime")) return scalars[found.name];
    if (found.kind !== "type" || found.declaration.kind !== "alias") return undefined;
    return found.declaration.parameters.length > 0 ? undefined : scalarKind(found.declaration.type, depth + 1);
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

/** The scalar aliases of the runtime, tagged. */
export function runtimeScalars(): string {
  const plain = Object.entries(scalars).map(
    ([name, kind]) => `export type ${name} = $$${name};\n${enumeration(`$$${name}`, kind)}`,
  );
  const either = ["Quantity", "IntOrString"].map(
    (name) =>
      `export type ${name} = $$${name}_number | $$${name}_string;\n` +
      `${enumeration(`$$${name}_number`, "number")}${enumeration(`$$${name}_string`, "string")}`,
  );
  // Nothing can be said about them, so nothing may take them apart.
  const opaque = ["JSONValue", "RawExtension"].map(
    (name) => `export type ${name} = $$${name};\n${enumeration(`$$${name}`, "number")}`,
  );
  return [...plain, ...either, ...opaque].join("");
}

/** Offsets at which the lines of a text begin, as TypeScript counts lines. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(match.index + match[0].length);
  return starts;
}
