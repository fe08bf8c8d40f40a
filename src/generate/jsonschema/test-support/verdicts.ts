// Compares the verdicts of a JSON Schema with those of the API server.
import { createValidator } from "@kubewright/cel";
import type { Json, JsonObject } from "@kubewright/cel/json";
import { Ajv } from "ajv";
import type { CustomResourceDefinition } from "../../../kubernetes/custom-resource-definition.ts";
import { toJavaScript } from "../../../regex/javascript-pattern.ts";
import type { JSONSchema } from "../../schema/model/json-schema.ts";
import { kindDocument, kindSchema } from "../schemas.ts";
import { mutate, numbers, randomValue } from "./random-objects.ts";

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

/** Returns a CRD without the rules that JSON Schema can't express. */
function withoutRules(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRules);
  if (typeof value !== "object" || value === null) return value;
  const isList = "x-kubernetes-list-type" in value && value["x-kubernetes-list-type"] === "map";
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === "x-kubernetes-validations" || key === "x-kubernetes-list-map-keys") return [];
      if (key === "x-kubernetes-list-type" && isList) return [];
      return [[key, withoutRules(inner)]];
    }),
  );
}

/** Removes the parts of an object with errors, so that the rest is valid. */
function repair(object: JsonObject, fields: readonly string[]): void {
  for (const field of fields) {
    const keys = field.replaceAll(/\[(\w+)\]/g, ".$1").split(".");
    let parent: Json | undefined = object;
    for (const key of keys.slice(0, -1)) parent = (parent as Record<string, Json> | undefined)?.[key];
    const last = keys.at(-1) ?? "";
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else if (typeof parent === "object" && parent !== null) delete parent[last];
  }
}

/** Compares the verdicts on random objects of each served version, and on mutations of them. */
export function compareVerdicts(crd: CustomResourceDefinition, seed: number, count: number): Comparison {
  const definition = withoutRules(JSON.parse(JSON.stringify(crd))) as CustomResourceDefinition;
  const validate = createValidator(definition);
  const next = numbers(seed);
  const [verdicts, differences] = [{ valid: 0, invalid: 0 }, [] as Difference[]];
  const { group, names, scope } = definition.spec;
  for (const version of definition.spec.versions.filter(({ served }) => served)) {
    const options = { strict: true, descriptions: false, pattern: toJavaScript };
    const ajv = new Ajv({ strict: false, allErrors: true, ownProperties: true, logger: false });
    const check = ajv.compile(kindDocument(kindSchema(definition, version, options)) as object);
    const errorsOf = (object: JsonObject) => {
      const { errors, unknownFields } = validate(object);
      return { errors: [...errors, ...unknownFields.map((field) => ({ field, message: `unknown field ${field}` }))] };
    };
    const compare = (object: JsonObject) => {
      // Values without a JSON form never reach the server.
      const sent = JSON.parse(JSON.stringify(object)) as JsonObject;
      const { errors } = errorsOf(sent);
      const accepted = check(sent);
      verdicts[errors.length === 0 ? "valid" : "invalid"]++;
      if (accepted === (errors.length === 0)) return;
      differences.push({
        object: sent,
        server: errors.map(({ message }) => message),
        schema: (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
      });
    };
    for (let round = 0; round < count; round++) {
      const random = randomValue(
        { ...(version.schema.openAPIV3Schema as JSONSchema), type: "object" },
        next,
      ) as JsonObject;
      const object: JsonObject = {
        ...random,
        apiVersion: group === "" ? version.name : `${group}/${version.name}`,
        kind: names.kind,
        metadata: { name: "sample", ...(scope === "Namespaced" ? { namespace: "default" } : {}) },
      };
      for (let step = 0; step < 12; step++) {
        const { errors } = errorsOf(object);
        if (errors.length === 0) break;
        repair(
          object,
          errors.slice(0, 20).map(({ field }) => field),
        );
      }
      compare(object);
      for (let step = 0; step < 6; step++) {
        const changed = structuredClone(object);
        mutate(changed, next);
        if (hasNull(changed) && !hasNull(object)) continue;
        compare(changed);
      }
    }
  }
  return { ...verdicts, differences };
}

function hasNull(value: Json): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value).some((inner) => hasNull(inner as Json));
}
