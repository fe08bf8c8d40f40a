import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { isMap } from "../text/maps.ts";
import { textsOf } from "./pattern-text.ts";

/** An object of a kind. */
export type SampleObject = Readonly<Record<string, unknown>>;

/** A reason for which the API server rejects an object. */
export interface SampleProblem {
  /** Such as `.spec.zones[0]`; empty for the object itself. */
  readonly path: string;
  readonly message: string;
}

/** Returns why the API server rejects an object: by its schema, or if it matches that, by its CEL rules. */
export interface SampleProblems {
  readonly ofSchema: (object: SampleObject, schema: JSONSchema) => readonly SampleProblem[];
  readonly ofRules: (object: SampleObject, schema: JSONSchema) => readonly SampleProblem[];
}

/** Returns all problems of an object. */
export function problemsIn(
  object: SampleObject,
  schema: JSONSchema,
  problems: SampleProblems,
): readonly SampleProblem[] {
  const violations = problems.ofSchema(object, schema);
  return violations.length > 0 ? violations : problems.ofRules(object, schema);
}

/** Returns a value that a schema allows; with an index, different ones. */
export type MakeValue = (schema: JSONSchema, index: number) => unknown;

/** The most objects that are tried for a sample: each takes about a millisecond. */
const maxTries = 500;

type Path = readonly (string | number)[];

/** A value with violated rules. */
interface Ruled {
  readonly path: Path;
  readonly schema: JSONSchema;
  readonly rules: string;
}

/** A field that a rule mentions. */
interface Field {
  readonly path: Path;
  readonly schema: JSONSchema;
  readonly value: unknown;
  readonly isRequired: boolean;
}

/** A change of a field; an undefined value removes it. */
interface Change {
  readonly path: Path;
  readonly value: unknown;
}

/**
 * Changes the fields that CEL rules mention until the object satisfies them: fields get values from literals of the rules and from
 * other fields, and optional fields are added or removed. Rules of other forms stay violated.
 *
 * @param object - an object that the schema allows
 * @returns the object, with as few violated rules as were found
 */
export function satisfied(
  object: SampleObject,
  schema: JSONSchema,
  problems: SampleProblems,
  makeValue: MakeValue,
): SampleObject {
  let best = object;
  let tries = 0;
  for (;;) {
    const violated = problems.ofRules(best, schema);
    if (violated.length === 0) return best;
    let next: SampleObject | undefined;
    for (const candidate of candidatesFor(best, schema, violated, makeValue)) {
      if (tries++ > maxTries) return best;
      if (problems.ofSchema(candidate, schema).length > 0) continue;
      if (problems.ofRules(candidate, schema).length < violated.length) {
        next = candidate;
        break;
      }
    }
    if (next === undefined) return best;
    best = next;
  }
}

/** Returns changed objects: with one changed field, with two, and with all fields that the rules mention. */
function* candidatesFor(
  object: SampleObject,
  schema: JSONSchema,
  violated: readonly SampleProblem[],
  makeValue: MakeValue,
): Generator<SampleObject> {
  const ruled = [...ruledIn(object, schema, [])].filter(({ path }) =>
    violated.some((problem) => problem.path.startsWith(textOf(path))),
  );
  const changes = ruled.map((node) => changesOf(object, node, makeValue));
  for (const { path, value } of changes.flat()) yield withValue(object, path, value);
  for (const change of changes) {
    for (const [index, first] of change.entries()) {
      for (const second of change.slice(index + 1)) {
        if (textOf(first.path) === textOf(second.path)) continue;
        yield withValue(withValue(object, first.path, first.value), second.path, second.value);
      }
    }
    const added = change.filter(({ path, value }) => value !== undefined && valueAt(object, path) === undefined);
    yield added.reduce((before, { path, value }) => withValue(before, path, value), object);
  }
}

/** Finds the values that have rules. */
function* ruledIn(value: unknown, schema: JSONSchema, path: Path): Generator<Ruled> {
  const rules = schema["x-kubernetes-validations"] ?? [];
  if (rules.length > 0) yield { path, schema, rules: rules.map(({ rule }) => rule).join("\n") };
  for (const part of schema.allOf ?? []) yield* ruledIn(value, part, path);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* ruledIn(item, schema.items ?? {}, [...path, index]);
  } else if (isMap(value)) {
    for (const [name, item] of Object.entries(value))
      yield* ruledIn(item, schemaOf(schema, name) ?? {}, [...path, name]);
  }
}

function schemaOf({ properties = {}, additionalProperties }: JSONSchema, name: string): JSONSchema | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function changesOf(object: SampleObject, { path, schema, rules }: Ruled, makeValue: MakeValue): Change[] {
  const fields = mentionsIn(rules).flatMap((names): Field[] => {
    const isName = path.length === 0 && names.join(".") === "metadata.name";
    const parent = names.slice(0, -1).reduce<JSONSchema | undefined>((at, name) => at && schemaOf(at, name), schema);
    const last = names.at(-1);
    const own = isName ? { type: "string" } : last === undefined ? schema : parent && schemaOf(parent, last);
    if (own === undefined) return [];
    const at = [...path, ...names];
    const isRequired = isName || last === undefined || (parent?.required?.includes(last) ?? false);
    return [{ path: at, schema: own, value: valueAt(object, at), isRequired }];
  });
  return fields.flatMap((field) => {
    const others = fields.filter((other) => other !== field).map(({ value }) => value);
    const values = [...new Set(valuesFor(field, rules, others, makeValue))];
    return values.filter((value) => value !== field.value).map((value) => ({ path: field.path, value }));
  });
}

/** Returns the paths of the fields in rules, each once: `self.a.b` and `self.a.b.startsWith(…)` are `["a", "b"]`. */
function mentionsIn(rules: string): string[][] {
  const mentions = [...rules.matchAll(/\bself((?:\.[A-Za-z_]\w*)*)(\()?/g)].map(([, names = "", call]) => {
    const parts = names.split(".").slice(1);
    return (call === undefined ? parts : parts.slice(0, -1)).join(".");
  });
  return [...new Set(mentions)].map((names) => (names === "" ? [] : names.split(".")));
}

/** Values of types that functions in rules read. */
const ofFunctions: readonly (readonly [RegExp, string])[] = [
  [/\b(?:isURL|url)\(/, "https://example.com"],
  [/\b(?:isIP|ip)\(/, "10.0.0.1"],
  [/\b(?:isCIDR|cidr)\(/, "10.0.0.0/24"],
  [/\b(?:isQuantity|quantity)\(/, "1"],
  [/\bduration\(/, "1h"],
  [/\btimestamp\(/, "2026-01-31T12:00:00Z"],
];

function* valuesFor(field: Field, rules: string, others: readonly unknown[], makeValue: MakeValue): Generator<unknown> {
  const { schema, value, isRequired } = field;
  if (value === undefined) yield makeValue(schema, 0);
  else if (!isRequired) yield undefined;
  if (schema.enum !== undefined) yield* schema.enum;
  else if (schema.type === "boolean") yield* [true, false];
  else if (schema.type === "string" || schema["x-kubernetes-int-or-string"] === true) yield* texts(rules, others);
  else if (schema.type === "integer" || schema.type === "number") yield* numbers(rules, others);
  else if (schema.type === "array") yield* lists(schema, value, rules, makeValue);
  else if (typeof schema.additionalProperties === "object") {
    const entry = makeValue(schema.additionalProperties, 0);
    for (const key of [...literalsIn(rules), "example"]) yield { ...(isMap(value) ? value : {}), [key]: entry };
  }
}

function* texts(rules: string, others: readonly unknown[]): Generator<string> {
  const literals = literalsIn(rules);
  const isPart = (literal: string) => /^[-._/:]|[-._/:]$/.test(literal);
  yield* literals.filter((literal) => !isPart(literal));
  for (const literal of rules.includes(".matches(") ? literals : []) yield* [...textsOf(literal, 0, 0)].slice(0, 3);
  for (const [isUsed, text] of ofFunctions) if (isUsed.test(rules)) yield text;
  const strings = others.filter((other) => typeof other === "string" && other !== "");
  yield* strings as string[];
  for (const literal of literals.filter(isPart)) {
    for (const other of strings) yield* [`example${literal}${other}`, `${other}${literal}example`];
    yield* [`${literal}example`, `example${literal}`, `example${literal}example`, literal];
  }
  for (const literal of literals) for (const other of strings) yield* [`${literal}${other}`, `${other}${literal}`];
  for (const other of strings) yield* [`example-${other}`, `${other}-example`];
}

function* numbers(rules: string, others: readonly unknown[]): Generator<number> {
  const literals = [...rules.matchAll(/(?<![\w.])\d+(?![\w.])/g)].map(([text]) => Number(text));
  for (const candidate of [...literals, ...others.filter((other) => typeof other === "number")]) {
    yield* [candidate, candidate + 1, candidate - 1];
  }
}

function* lists(schema: JSONSchema, value: unknown, rules: string, makeValue: MakeValue): Generator<unknown[]> {
  const before = Array.isArray(value) ? value : [];
  const items = schema.items ?? {};
  yield [...before, makeValue(items, before.length)];
  if (items.type === "string") for (const literal of literalsIn(rules)) yield [...before, literal];
  if (before.length > 0) yield before.slice(1);
}

/** Returns the texts in rules, each once. */
function literalsIn(rules: string): string[] {
  const matches = [...rules.matchAll(/'((?:[^'\\\n]|\\.){0,200})'|"((?:[^"\\\n]|\\.){0,200})"/g)];
  // In raw texts, which are mostly patterns, a backslash is a character.
  const texts = matches.map(({ 1: one, 2: two = "", index }) => {
    const text = one ?? two;
    return rules[index - 1] === "r" ? text : text.replace(/\\(['"\\])/g, "$1");
  });
  return [...new Set(texts)];
}

function valueAt(object: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return isMap(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, object);
}

/** Returns a copy with a value at a path. Objects on the way are added. */
function withValue<T>(object: T, [step, ...rest]: Path, value: unknown): T {
  if (step === undefined) return value as T;
  if (Array.isArray(object)) {
    return object.map((item, index) => (index === step ? withValue(item, rest, value) : item)) as T;
  }
  const before: Record<string, unknown> = isMap(object) ? object : {};
  const next = withValue(Object.hasOwn(before, step) ? before[step] : undefined, rest, value);
  const others = Object.entries(before).filter(([name]) => name !== step);
  if (next === undefined) return Object.fromEntries(others) as T;
  // The order of the fields stays.
  const entries = Object.hasOwn(before, step)
    ? Object.entries(before).map(([name, item]) => [name, name === step ? next : item] as const)
    : [...others, [step, next] as const];
  return Object.fromEntries(entries) as T;
}

/** Returns a path as in the problems. */
function textOf(path: Path): string {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
}
