import type { JSONSchema } from "../../../kubernetes/json-schema.ts";
import { allLimits, type Limit, type LimitKeyword, limitMarker, limits, typesOf } from "../../../kubernetes/limits.ts";
import type { Synonym } from "../model/effects.ts";
import { type MarkerEntry, marker } from "./define.ts";
import { wholeLineInteger, wholeLineNumber } from "./own-parsers.ts";

/** Markers that limit values. */
export const limitMarkers: readonly MarkerEntry[] = allLimits.map(([keyword, limit]) => entryOf(keyword, limit));

function entryOf(keyword: LimitKeyword, limit: Limit): MarkerEntry {
  const { value, summary, example, isDeclarative } = limit;
  const name = `kubebuilder:validation:${limitMarker(keyword)}`;
  const details = example === undefined ? limit.details : `Example: \`+${name}=${example}\``;
  const whole = value === "int" ? wholeLineInteger : wholeLineNumber;
  const alias = {
    name: `k8s:${keyword}`,
    targets: ["field"],
    summary: `${summary.replace(/\.$/, "")}; declarative validation's form.`,
    details: `Example: \`+k8s:${keyword}=${example}\`. \`#\` starts a comment.`,
    hasComments: true,
  } as const;
  return marker({
    name,
    ...(isDeclarative ? { aliases: [alias], ownParser: whole(keyword) } : {}),
    targets: ["field", "type"],
    category: "CRD validation",
    value,
    forItems: true,
    summary,
    ...(details === undefined ? {} : { details }),
    synonyms: synonymsOf(keyword, limit),
    keyword,
    check: checkOf(keyword, limit),
  });
}

function synonymsOf(keyword: LimitKeyword, { value, excludes }: Limit): Synonym[] {
  if (value === "bool") return excludes ? [{ tag: keyword, write: () => "=true" }] : [];
  const exclusive = allLimits.filter(([, limit]) => limit.excludes === keyword);
  // Exclusive limits are numbers in JSON Schema, and were booleans beside the limit in older drafts.
  const write = (text: string) => (text === "true" ? undefined : `=${text}`);
  return [{ tag: keyword }, ...exclusive.map(([tag]) => ({ tag, write }))];
}

function checkOf(keyword: LimitKeyword, limit: Limit): NonNullable<MarkerEntry["check"]> {
  const label = limit.label ?? keyword.toLowerCase();
  return (schema, value) => {
    const problem = inapplicable(schema, limit, label);
    if (problem !== undefined || limit.value !== "number") return problem;
    const number = Number(value);
    if (!Number.isFinite(number)) return `${label} must be a finite number, not ${number}`;
    if (schema.type !== "integer" || Number.isInteger(number)) return undefined;
    return `cannot apply non-integral ${label} validation (${number}) to integer value`;
  };
}

/** Returns the message of controller-gen if a limit doesn't apply to a schema. */
export function inapplicable(schema: JSONSchema, { on }: Pick<Limit, "on">, label: string): string | undefined {
  const type = schema.type ?? "";
  switch (on) {
    case "number":
      if (typesOf(limits.minimum).includes(type)) return undefined;
      return `must apply ${label} to a numeric value, found ${type || "no type"}`;
    case "string":
      if (type === "string" || schema["x-kubernetes-int-or-string"]) return undefined;
      return `must apply ${label} to a textual value, found type "${type}"`;
    default:
      return type === on ? undefined : `must apply ${label} to an ${on}`;
  }
}
