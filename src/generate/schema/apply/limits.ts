import { allLimits, type Limit, type LimitKeyword, limitMarker, limits, typesOf } from "../../../kubernetes/limits.ts";
import type { JSONSchema } from "../json-schema.ts";
import { type Apply, type Effect, effect } from "./effect.ts";

/** Effects of the markers for limits, by name without `kubebuilder:validation:`. */
export const limitEffects: ReadonlyMap<string, Effect> = new Map(
  allLimits.map(([keyword, limit]) => [limitMarker(keyword), effect(applyLimit(keyword, limit))] as const),
);

/** Effects of declarative validation's markers for limits, by full name. */
export const declarativeLimitEffects: ReadonlyMap<string, Effect> = new Map(
  allLimits
    .filter(([, { isDeclarative }]) => isDeclarative)
    .map(([keyword, limit]) => [`k8s:${keyword}`, effect(applyLimit(keyword, limit))] as const),
);

function applyLimit(keyword: LimitKeyword, limit: Limit): Apply {
  const label = limit.label ?? keyword.toLowerCase();
  return (schema, value) => {
    const problem = inapplicable(schema, limit, label);
    if (problem !== undefined) return problem;
    if (limit.value === "bool") {
      if (value === true) set(schema, keyword, true);
      else delete schema[keyword];
      return undefined;
    }
    if (limit.value === "int") {
      if (typeof value !== "number" && typeof value !== "bigint") return `${keyword} must be an integer`;
      set(schema, keyword, value);
      return undefined;
    }
    const number = Number(value);
    if (!Number.isFinite(number)) return `${label} must be a finite number, not ${number}`;
    if (schema.type === "integer" && !Number.isInteger(number)) {
      return `cannot apply non-integral ${label} validation (${number}) to integer value`;
    }
    set(schema, keyword, number);
    return undefined;
  };
}

/** Returns the message of controller-gen if a limit doesn't apply to a schema. */
export function inapplicable(schema: JSONSchema, { on }: Pick<Limit, "on">, label: string): string | undefined {
  const type = schema.type ?? "";
  switch (on) {
    case "number":
      if (typesOf(limits.minimum).includes(type)) return undefined;
      return `must apply ${label} to a numeric value, found ${type}`;
    case "string":
      if (type === "string" || schema["x-kubernetes-int-or-string"]) return undefined;
      return `must apply ${label} to a textual value, found type "${type}"`;
    default:
      return type === on ? undefined : `must apply ${label} to an ${on}`;
  }
}

function set(schema: JSONSchema, keyword: LimitKeyword, value: number | bigint | boolean): void {
  Object.assign(schema, { [keyword]: value });
}
