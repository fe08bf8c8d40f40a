// Constraints that a single schema sets for its own value, without the schemas inside it.
import { allLimits, type Limit, type LimitKeyword, type Limits } from "../../kubernetes/limits.ts";
import type { JSONSchema, JSONValue } from "../schema/model/json-schema.ts";
import { type ChangeClass, canonical } from "./change.ts";

export interface Found {
  readonly id: ChangeClass;
  readonly message: string;
}

/** Returns the changes of constraints that reject or change values that were valid before. */
export function narrowedConstraints(before: JSONSchema, after: JSONSchema): Found[] {
  return [
    ...format(before, after),
    ...enumeration(before, after),
    ...narrowedLimits(before, after).map((message) => ({ id: "limit-narrowed" as const, message })),
    ...pattern(before, after),
    ...nullable(before, after),
    ...defaults(before, after),
    ...listType(before, after),
    ...unknownFields(before, after),
    ...combinations(before, after),
    ...rules(before, after),
  ];
}

/** Reports a changed format, unless it is a wider integer type, which accepts all values of a narrower one. */
function format({ format: old }: JSONSchema, { format: now }: JSONSchema): Found[] {
  if (now === undefined || now === old || (old === "int32" && now === "int64")) return [];
  const message = old === undefined ? `format ${now} is new` : `format was ${old} and is ${now}`;
  return [{ id: "format-changed", message }];
}

function enumeration(before: JSONSchema, after: JSONSchema): Found[] {
  const [old, now] = [allowedValues(before), allowedValues(after)];
  if (now === undefined) return [];
  if (old === undefined) return [{ id: "enum-narrowed", message: `only ${list(now)} are now allowed` }];
  const left = new Set(now.map(canonical));
  const gone = old.filter((value) => !left.has(canonical(value)));
  const verb = gone.length === 1 ? "is" : "are";
  return gone.length === 0 ? [] : [{ id: "enum-narrowed", message: `${list(gone)} ${verb} no longer allowed` }];
}

/**
 * Returns the values that both the schema and each branch of its `allOf` allow; undefined without an enumeration. Older
 * versions of controller-gen write the enumeration of a type and that of its field as branches.
 */
function allowedValues({ enum: own, allOf = [] }: JSONSchema): readonly JSONValue[] | undefined {
  const lists = [own, ...allOf.map(allowedValues)].filter((each) => each !== undefined);
  const [first, ...others] = lists;
  const sets = others.map((other) => new Set(other.map(canonical)));
  return first?.filter((value) => sets.every((set) => set.has(canonical(value))));
}

/** Returns one sentence per limit that is stricter than before. */
function narrowedLimits(before: Limits, after: Limits): string[] {
  return allLimits.flatMap(([keyword, limit]) => narrowed(keyword, limit, before, after) ?? []);
}

function narrowed(keyword: LimitKeyword, limit: Limit, before: Limits, after: Limits): string | undefined {
  const [old, now] = [before[keyword], after[keyword]];
  if (typeof now === "boolean") {
    if (!now || old === true) return undefined;
    const { excludes } = limit;
    if (excludes === undefined) return `${keyword} is new`;
    const bound = after[excludes];
    // If the bound itself changed, another message reports it.
    return bound !== undefined && bound === before[excludes] ? `${excludes} ${bound} is now exclusive` : undefined;
  }
  if (now === undefined || typeof old === "boolean" || !isStricter(limit, old, now)) return undefined;
  return old === undefined ? `${keyword} ${now} is new` : `${keyword} was ${old} and is ${now}`;
}

type Value = number | bigint;

function isStricter({ bound, unit, isStricter: rule }: Limit, old: Value | undefined, now: Value): boolean {
  if (rule) return rule(old === undefined ? undefined : Number(old), Number(now));
  if (bound === "most") return old === undefined || now < old;
  // A size is at least 0 without a limit.
  return now > (old ?? (unit === undefined ? Number.NEGATIVE_INFINITY : 0));
}

/** Reports any change of the pattern, because two patterns can't be compared by their texts. */
function pattern({ pattern: old }: JSONSchema, { pattern: now }: JSONSchema): Found[] {
  if (now === undefined || now === old) return [];
  const message = old === undefined ? `pattern ${now} is new` : `pattern was ${old} and is ${now}`;
  return [{ id: "pattern-changed", message }];
}

function nullable(before: JSONSchema, after: JSONSchema): Found[] {
  const removed = before.nullable === true && after.nullable !== true;
  return removed ? [{ id: "nullable-removed", message: "null is no longer allowed" }] : [];
}

function defaults({ default: old }: JSONSchema, { default: now }: JSONSchema): Found[] {
  if (old === undefined || canonical(old) === canonical(now)) return [];
  if (now === undefined) return [{ id: "default-removed", message: `the default ${canonical(old)} was removed` }];
  return [{ id: "default-changed", message: `the default was ${canonical(old)} and is ${canonical(now)}` }];
}

/**
 * Compares the list and map types, because field ownership in server-side apply depends on them. By default lists are atomic
 * and maps granular.
 */
function listType(before: JSONSchema, after: JSONSchema): Found[] {
  const changed = (what: string, old: string, now: string): Found[] =>
    old === now ? [] : [{ id: "list-type-changed", message: `${what} was ${old} and is ${now}` }];
  const keys = (schema: JSONSchema) => [...(schema["x-kubernetes-list-map-keys"] ?? [])].sort().join(", ") || "none";
  return [
    ...changed(
      "the list type",
      before["x-kubernetes-list-type"] ?? "atomic",
      after["x-kubernetes-list-type"] ?? "atomic",
    ),
    ...changed(
      "the map type",
      before["x-kubernetes-map-type"] ?? "granular",
      after["x-kubernetes-map-type"] ?? "granular",
    ),
    ...(before["x-kubernetes-list-type"] === "map" && after["x-kubernetes-list-type"] === "map"
      ? changed("the list's keys", keys(before), keys(after))
      : []),
  ];
}

function unknownFields(before: JSONSchema, after: JSONSchema): Found[] {
  const key = "x-kubernetes-preserve-unknown-fields";
  if (before[key] !== true || after[key] === true) return [];
  return [{ id: "unknown-fields-pruned", message: "unknown fields are now dropped" }];
}

/** Compares conditions for the whole value: each new one may reject values that were valid. */
function combinations(before: JSONSchema, after: JSONSchema): Found[] {
  const added: string[] = [];
  const old = (schemas: readonly JSONSchema[] | undefined) => new Set(schemas?.map(bare));
  // For allOf, a new branch narrows; for anyOf, a removed one. Enumerations are compared as a whole.
  const branches = (jsonSchema: JSONSchema) => jsonSchema.allOf?.map(({ enum: _, ...rest }) => rest);
  const combined = old([...(branches(before) ?? []), {}]);
  if (branches(after)?.some((branch) => !combined.has(bare(branch)))) added.push("allOf");
  if (after.anyOf && (!before.anyOf || [...old(before.anyOf)].some((each) => !old(after.anyOf).has(each))))
    added.push("anyOf");
  // For oneOf, a new branch may also match.
  if (after.oneOf && [...old(after.oneOf)].sort().join() !== [...old(before.oneOf)].sort().join()) added.push("oneOf");
  if (after.not && (!before.not || bare(after.not) !== bare(before.not))) added.push("not");
  const embedded = "x-kubernetes-embedded-resource";
  return [
    ...added.map((name): Found => ({ id: "validation-added", message: `${name} has changed and may be stricter` })),
    ...(after[embedded] === true && before[embedded] !== true
      ? [{ id: "validation-added" as const, message: "the value must now be a whole Kubernetes object" }]
      : []),
  ];
}

function rules(before: JSONSchema, after: JSONSchema): Found[] {
  const old = new Set(before["x-kubernetes-validations"]?.map(({ rule }) => rule));
  return (after["x-kubernetes-validations"] ?? [])
    .filter(({ rule }) => !old.has(rule))
    .map(({ rule }) => ({ id: "rule-added" as const, message: `the rule ${rule} is new` }));
}

/** Serializes a schema without its documentation. */
function bare(schema: JSONSchema): string {
  const { description: _, example: __, title: ___, ...rest } = schema;
  return canonical(rest);
}

function list(values: readonly unknown[]): string {
  return values.map((value) => canonical(value)).join(", ");
}
