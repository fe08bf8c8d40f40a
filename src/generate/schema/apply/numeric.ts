import { type Apply, type Effect, effect } from "./effect.ts";

function isNumeric(type: string | undefined): boolean {
  return type === "integer" || type === "number";
}

function limit(key: "minimum" | "maximum" | "multipleOf"): Apply {
  const label = key.toLowerCase();
  return (schema, value) => {
    const number = Number(value);
    if (!isNumeric(schema.type)) return `must apply ${label} to a numeric value, found ${schema.type ?? ""}`;
    if (!Number.isFinite(number)) return `${label} must be a finite number, not ${number}`;
    if (schema.type === "integer" && !Number.isInteger(number)) {
      return `cannot apply non-integral ${label} validation (${number}) to integer value`;
    }
    schema[key] = number;
    return undefined;
  };
}

function exclusive(key: "exclusiveMinimum" | "exclusiveMaximum"): Apply {
  return (schema, value) => {
    if (!isNumeric(schema.type))
      return `must apply ${key.toLowerCase()} to a numeric value, found ${schema.type ?? ""}`;
    if (value === true) schema[key] = true;
    else delete schema[key];
    return undefined;
  };
}

/** Effects of the markers for integers and numbers. */
export const numericEffects: ReadonlyMap<string, Effect> = new Map([
  ["Maximum", effect(limit("maximum"))],
  ["Minimum", effect(limit("minimum"))],
  ["MultipleOf", effect(limit("multipleOf"))],
  ["ExclusiveMaximum", effect(exclusive("exclusiveMaximum"))],
  ["ExclusiveMinimum", effect(exclusive("exclusiveMinimum"))],
]);
