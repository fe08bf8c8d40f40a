// Compares the verdicts of a JSON Schema with those of the API server.
import { createValidator } from "@kubewright/cel";
import type { Json, JsonObject } from "@kubewright/cel/json";
import { Ajv } from "ajv";
import type { CrdVersion, CustomResourceDefinition } from "../../../kubernetes/custom-resource-definition.ts";
import { toJavaScript } from "../../../regex/javascript-pattern.ts";
import type { JSONSchema } from "../../schema/model/json-schema.ts";
import { kindDocument, kindSchema } from "../schemas.ts";
import { mutate, type Next, numbers, randomValue } from "./random-objects.ts";

/** An object on which both don't agree. */
export interface Difference {
  readonly object: JsonObject;
  readonly server: readonly string[];
  readonly schema: readonly string[];
}

/** The result of a comparison. */
export interface Comparison {
  readonly valid: number;
  readonly invalid: number;
  readonly differences: readonly Difference[];
}

/** Returns the errors of an object, including those of strict field validation; undefined without a verdict. */
export type Judge = (object: JsonObject) => Promise<readonly string[] | undefined>;

/** The objects to compare. */
export interface Sample {
  readonly seed: number;
  /** Of each served version. Each of these objects is also mutated six times. */
  readonly count: number;
}

/** Returns a CRD without the rules that JSON Schema can't express. */
export function withoutRules<T>(value: T): T {
  return withoutRulesIn(value) as T;
}

function withoutRulesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRulesIn);
  if (typeof value !== "object" || value === null) return value;
  const isList = "x-kubernetes-list-type" in value && value["x-kubernetes-list-type"] === "map";
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === "x-kubernetes-validations" || key === "x-kubernetes-list-map-keys") return [];
      if (key === "x-kubernetes-list-type" && isList) return [];
      return [[key, withoutRulesIn(inner)]];
    }),
  );
}

/** Removes the parts of an object with errors, so that the rest is valid. */
function repair(object: JsonObject, fields: readonly string[]): void {
  for (const field of fields) {
    const keys = field.replaceAll(/\[(\w+)\]/g, ".$1").split(".");
    if (keys[0] === "metadata") continue;
    const parents: Json[] = [object];
    for (const key of keys.slice(0, -1)) {
      const inner: Json | undefined = (parents.at(-1) as Record<string, Json>)[key];
      if (typeof inner !== "object" || inner === null) break;
      parents.push(inner);
    }
    // A field that is missing can't be removed, but an object that requires it can.
    for (const depth of [...parents.keys()].reverse()) if (removed(parents[depth] as Json, keys[depth] ?? "")) break;
  }
}

function removed(parent: Json, key: string): boolean {
  if (Array.isArray(parent)) return parent.splice(Number(key), 1).length > 0;
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key)) return false;
  return delete parent[key];
}

/**
 * Compares the verdicts on random objects of each served version, and on mutations of them.
 *
 * @param judge - decides about objects of the definition without its rules; by default, the rules of the API server
 */
export async function compareVerdicts(
  crd: CustomResourceDefinition,
  { seed, count }: Sample,
  judge?: Judge,
): Promise<Comparison> {
  const definition = withoutRules(JSON.parse(JSON.stringify(crd)) as CustomResourceDefinition);
  const validate = createValidator(definition);
  const next = numbers(seed);
  const [verdicts, differences] = [{ valid: 0, invalid: 0 }, [] as Difference[]];
  const errorsOf = (object: JsonObject) => {
    const { errors, unknownFields } = validate(object);
    return [...errors, ...unknownFields.map((field) => ({ field, message: `unknown field ${field}` }))];
  };
  const decide: Judge = judge ?? (async (object) => errorsOf(object).map(({ message }) => message));
  for (const version of definition.spec.versions.filter(({ served }) => served)) {
    const options = { strict: true, descriptions: false, pattern: toJavaScript };
    const ajv = new Ajv({ strict: false, allErrors: true, ownProperties: true, logger: false });
    const check = ajv.compile(kindDocument(kindSchema(definition, version, options)) as object);
    const compare = async (object: JsonObject) => {
      // Values without a JSON form never reach the server.
      const sent = JSON.parse(JSON.stringify(object)) as JsonObject;
      const accepted = check(sent);
      const schema = (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
      const server = await decide(sent);
      if (server === undefined) return;
      verdicts[server.length === 0 ? "valid" : "invalid"]++;
      if (accepted !== (server.length === 0)) differences.push({ object: sent, server, schema });
    };
    for (let round = 0; round < count; round++) {
      const object = validObject(definition, version, next, errorsOf);
      await compare(object);
      for (let step = 0; step < 6; step++) {
        const changed = structuredClone(object);
        mutate(changed, next);
        if (hasNull(changed) && !hasNull(object)) continue;
        await compare(changed);
      }
    }
  }
  return { ...verdicts, differences };
}

/** Returns a random object, without the parts that have errors. */
function validObject(
  { spec: { group, names, scope } }: CustomResourceDefinition,
  { name, schema }: CrdVersion,
  next: Next,
  errorsOf: (object: JsonObject) => readonly { readonly field: string }[],
): JsonObject {
  const random = randomValue({ ...(schema.openAPIV3Schema as JSONSchema), type: "object" }, next) as JsonObject;
  const object: JsonObject = {
    ...random,
    apiVersion: group === "" ? name : `${group}/${name}`,
    kind: names.kind,
    metadata: { name: "sample", ...(scope === "Namespaced" ? { namespace: "default" } : {}) },
  };
  for (let step = 0; step < 12; step++) {
    const errors = errorsOf(object);
    if (errors.length === 0) break;
    repair(
      object,
      errors.slice(0, 20).map(({ field }) => field),
    );
  }
  return object;
}

function hasNull(value: Json): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value).some((inner) => hasNull(inner as Json));
}
