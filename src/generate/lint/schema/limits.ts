import {
  allLimits,
  type Limit,
  type LimitKeyword,
  type limits as limitTable,
  typesOf,
} from "../../../kubernetes/limits.ts";
import type { JSONSchema } from "../../schema/model/json-schema.ts";
import type { SchemaLint } from "../model/finding.ts";
import { conjuncts } from "../model/walk.ts";

type NumericKeyword = { [K in LimitKeyword]: (typeof limitTable)[K]["value"] extends "bool" ? never : K }[LimitKeyword];

const numeric = allLimits.filter((entry): entry is readonly [NumericKeyword, Limit] => entry[1].value !== "bool");

/** Each lower bound with the upper bound of the same values. */
const pairs = numeric.flatMap(([least, { bound, on }]) => {
  const [most] = numeric.find(([, other]) => other.bound === "most" && other.on === on) ?? [];
  return bound === "least" && most !== undefined ? [{ least, most }] : [];
});

/** The types that each limit applies to. */
const subjects: readonly { readonly key: keyof JSONSchema; readonly types: readonly string[] }[] = [
  { key: "pattern", types: ["string"] },
  ...numeric.map(([key, limit]) => ({ key, types: typesOf(limit) })),
];

/** Reports limits that contradict each other, that no value can meet, or that have no effect. */
export const limits: SchemaLint = ({ schema }, report) => {
  const all = conjuncts(schema);
  for (const { least, most } of pairs) {
    const low = strictest(all, least, (a, b) => a > b);
    const high = strictest(all, most, (a, b) => a < b);
    if (low === undefined || high === undefined || !excludes(all, least, low, high)) continue;
    report({
      id: "limits-contradict",
      message: `no value is valid: ${least} is ${low}, but ${most} is ${high}`,
      hint: `set ${least} to at most ${most}`,
      keywords: [least, most],
    });
  }
  negative(all, report);
  withoutEffect(schema, all, report);
};

/** Reports negative limits of a length: they have no effect, or reject every value. */
const negative: (...args: [readonly JSONSchema[], Parameters<SchemaLint>[1]]) => void = (all, report) => {
  for (const key of pairs.flatMap(({ least, most }) => (least === "minimum" ? [] : [least, most]))) {
    const value = all.map((jsonSchema) => jsonSchema[key]).find((each) => each !== undefined && each < 0);
    if (value === undefined) continue;
    report({
      id: "negative-limit",
      message: `${key} must not be negative: ${value}`,
      hint: "use 0 or more, or remove the marker",
      keywords: [key],
    });
  }
};

function strictest(
  all: readonly JSONSchema[],
  key: NumericKeyword,
  wins: (a: number | bigint, b: number | bigint) => boolean,
): number | bigint | undefined {
  const given = all.flatMap((jsonSchema) => jsonSchema[key] ?? []);
  return given.reduce<number | bigint | undefined>(
    (best, each) => (best === undefined || wins(each, best) ? each : best),
    undefined,
  );
}

function excludes(all: readonly JSONSchema[], least: string, low: number | bigint, high: number | bigint): boolean {
  const open =
    least === "minimum" && all.some((jsonSchema) => jsonSchema.exclusiveMinimum || jsonSchema.exclusiveMaximum);
  return low > high || (open && Number(low) === Number(high));
}

/** Reports limits that the API server silently ignores. */
const withoutEffect: (...args: [JSONSchema, readonly JSONSchema[], Parameters<SchemaLint>[1]]) => void = (
  schema,
  all,
  report,
) => {
  for (const bound of ["Minimum", "Maximum"] as const) {
    const exclusive = `exclusive${bound}` as const;
    const limit = bound === "Minimum" ? "minimum" : "maximum";
    if (!all.some((jsonSchema) => jsonSchema[exclusive]) || all.some((jsonSchema) => jsonSchema[limit] !== undefined))
      continue;
    report({
      id: "limit-without-effect",
      message: `Exclusive${bound} has no effect without a ${bound}`,
      hint: `add +kubebuilder:validation:${bound}`,
      keywords: [exclusive],
    });
  }
  if (schema.type === undefined || schema["x-kubernetes-int-or-string"]) return;
  for (const { key, types } of subjects) {
    if (types.includes(schema.type) || all.every((part) => part[key] === undefined)) continue;
    report({
      id: "limit-without-effect",
      message: `${key} has no effect on type ${schema.type}: it applies to ${types.join(" and ")}`,
      hint: "remove the marker, or change the type",
      keywords: [key],
    });
  }
};
