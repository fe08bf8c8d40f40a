// JSONPath as kubectl supports it in printer columns: fields, keys in brackets, indexes, slices, filters and wildcards.

import type { JSONSchema } from "../../schema/model/json-schema.ts";

export type PathStep =
  | { readonly kind: "field"; readonly name: string }
  /** `[0]`, `[1:3]`, `[*]`, `[?(…)]`: some elements of a list. */
  | { readonly kind: "elements"; readonly filter: boolean; readonly wildcard: boolean }
  /** `..`, unions and everything else that can't be resolved in a schema. */
  | { readonly kind: "anything" };

/** Parses a path that begins with a dot; offsets count from its start. */
export function parseJsonPath(
  text: string,
): { readonly steps: readonly PathStep[] } | { readonly problem: string; readonly offset: number } {
  if (!text.startsWith(".")) return { problem: "it must begin with a dot", offset: 0 };
  const steps: PathStep[] = [];
  let at = 0;
  while (at < text.length) {
    if (text.startsWith("..", at)) {
      steps.push({ kind: "anything" });
      at += 2;
    } else if (text[at] === "[") {
      const end = closingBracket(text, at);
      if (end === undefined) return { problem: "an unclosed [", offset: at };
      const step = bracketStep(text.slice(at + 1, end));
      if (!step) return { problem: `[${text.slice(at + 1, end)}] isn't a valid index, key or filter`, offset: at };
      steps.push(step);
      at = end + 1;
    } else {
      const dot = text[at] === "." ? 1 : 0;
      const [name] = /^(?:\\.|[^\\.,[\]$@{}\s])*/s.exec(text.slice(at + dot)) as unknown as [string];
      at += dot + name.length;
      if (name === "*") steps.push({ kind: "anything" });
      else if (name !== "") steps.push({ kind: "field", name: name.replace(/\\(.)/gs, "$1") });
      else if (dot === 0) return { problem: `${JSON.stringify(text[at])} is unexpected`, offset: at };
    }
  }
  return { steps };
}

function closingBracket(text: string, open: number): number | undefined {
  let depth = 0;
  let quote = "";
  for (let at = open; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") at++;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === "[") depth++;
    else if (character === "]" && --depth === 0) return at;
  }
  return undefined;
}

function bracketStep(inside: string): PathStep | undefined {
  const text = inside.trim();
  const key = /^'((?:[^'\\]|\\.)*)'$/s.exec(text);
  if (key) return { kind: "field", name: key[1]!.replace(/\\(.)/gs, "$1") };
  if (text === "*" || /^-?\d*(?::-?\d*){0,2}$/.test(text)) {
    return { kind: "elements", filter: false, wildcard: text === "*" };
  }
  if (/^\?\(.*\)$/s.test(text)) return { kind: "elements", filter: true, wildcard: false };
  return text.includes(",") ? { kind: "anything" } : undefined;
}

/** The result of resolving a path: a schema, a value without a schema, or an error. */
export type Resolution =
  | { readonly kind: "schema"; readonly schema: JSONSchema }
  | { readonly kind: "unknown" }
  | {
      readonly kind: "missing";
      readonly message: string;
      readonly name: string;
      readonly candidates: readonly string[];
    };

/** Resolves a path in the schema of a whole object. */
export function resolveJsonPath(root: JSONSchema, steps: readonly PathStep[]): Resolution {
  let schema = root;
  for (const [index, step] of steps.entries()) {
    // The API server adds metadata, apiVersion and kind to every object itself.
    if (index === 0 && step.kind === "field" && ["metadata", "apiVersion", "kind"].includes(step.name)) {
      return { kind: "unknown" };
    }
    if (step.kind === "anything" || isOpen(schema)) return { kind: "unknown" };
    const next = step.kind === "field" ? fieldOf(schema, step.name) : elementOf(schema, step.wildcard);
    if (next.kind !== "schema") return next;
    schema = next.schema;
  }
  return { kind: "schema", schema };
}

function fieldOf(schema: JSONSchema, name: string): Resolution {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return { kind: "schema", schema: properties[name]! };
  if (typeof additionalProperties === "object") return { kind: "schema", schema: additionalProperties };
  if (schema.type === "array") {
    return missing(`a list has no field "${name}"; select elements first, such as [0] or [*]`, name);
  }
  if (schema.type !== "object") return missing(`a value of type ${schema.type} has no field "${name}"`, name);
  return missing(`there is no field "${name}"`, name, Object.keys(properties));
}

function elementOf(schema: JSONSchema, wildcard: boolean): Resolution {
  if (schema.type === "array" && schema.items) return { kind: "schema", schema: schema.items };
  if (wildcard || schema.type === "object") return { kind: "unknown" };
  return missing(`a value of type ${schema.type} has no elements`, "");
}

function missing(message: string, name: string, candidates: readonly string[] = []): Resolution {
  return { kind: "missing", message, name, candidates };
}

/** Returns whether a value may contain more than its schema declares. */
export function isOpen(schema: JSONSchema): boolean {
  if (schema.type === undefined || schema["x-kubernetes-preserve-unknown-fields"]) return true;
  if (schema["x-kubernetes-embedded-resource"] || schema.additionalProperties === true) return true;
  return schema.type === "object" && schema.additionalProperties === undefined && isEmpty(schema.properties);
}

type Properties = NonNullable<JSONSchema["properties"]>;

const empty = new WeakMap<Properties, boolean>();

/** Returns whether an object has no properties. Cached, because it is called for every step of every path. */
function isEmpty(properties: Properties | undefined): boolean {
  if (!properties) return true;
  const isCachedEmpty = empty.get(properties) ?? Object.keys(properties).length === 0;
  empty.set(properties, isCachedEmpty);
  return isCachedEmpty;
}
