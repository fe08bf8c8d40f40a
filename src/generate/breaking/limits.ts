import type { JSONSchema } from "../schema/json-schema.ts";

type Size = "minLength" | "minItems" | "minProperties" | "maxLength" | "maxItems" | "maxProperties";

const lowest: readonly Size[] = ["minLength", "minItems", "minProperties"];
const highest: readonly Size[] = ["maxLength", "maxItems", "maxProperties"];

/** Returns one sentence per limit that is stricter than before. */
export function narrowedLimits(before: JSONSchema, after: JSONSchema): string[] {
  return [
    ...lowest.flatMap((name) => {
      const [old, now] = [Number(before[name] ?? 0), Number(after[name] ?? 0)];
      return now > old ? [changed(name, before[name], after[name])] : [];
    }),
    ...highest.flatMap((name) => {
      const [old, now] = [limit(before[name]), limit(after[name])];
      return now < old ? [changed(name, before[name], after[name])] : [];
    }),
    ...lowerBound(before, after),
    ...upperBound(before, after),
    ...steps(before, after),
    ...(after.uniqueItems === true && before.uniqueItems !== true ? ["uniqueItems is new"] : []),
  ];
}

function limit(value: number | bigint | undefined): number {
  return value === undefined ? Number.POSITIVE_INFINITY : Number(value);
}

function lowerBound(before: JSONSchema, after: JSONSchema): string[] {
  if (after.minimum === undefined) return [];
  const old = before.minimum ?? Number.NEGATIVE_INFINITY;
  const excluded = after.minimum === old && after.exclusiveMinimum === true && before.exclusiveMinimum !== true;
  if (excluded) return [`minimum ${after.minimum} is now exclusive`];
  return after.minimum > old ? [changed("minimum", before.minimum, after.minimum)] : [];
}

function upperBound(before: JSONSchema, after: JSONSchema): string[] {
  if (after.maximum === undefined) return [];
  const old = before.maximum ?? Number.POSITIVE_INFINITY;
  const excluded = after.maximum === old && after.exclusiveMaximum === true && before.exclusiveMaximum !== true;
  if (excluded) return [`maximum ${after.maximum} is now exclusive`];
  return after.maximum < old ? [changed("maximum", before.maximum, after.maximum)] : [];
}

/** Multiples of 6 are multiples of 3, but not the reverse. */
function steps({ multipleOf: old }: JSONSchema, { multipleOf: now }: JSONSchema): string[] {
  if (now === undefined || (old !== undefined && Number.isInteger(old / now))) return [];
  return [changed("multipleOf", old, now)];
}

function changed(name: string, old: number | bigint | undefined, now: number | bigint | undefined): string {
  return old === undefined ? `${name} ${now} is new` : `${name} was ${old} and is ${now}`;
}
