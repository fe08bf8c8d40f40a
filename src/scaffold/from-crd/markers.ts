import { limitMarker, limits } from "../../kubernetes/limits.ts";
import { jsonLiteral, stringLiteral } from "../../text/typescript.ts";
import { type CrdSchema, isPlainIntOrString } from "./schema.ts";

/** Returns a string for use in a marker, quoted if necessary. */
export function word(text: string): string {
  return /^[A-Za-z][A-Za-z0-9-]*$/.test(text) ? text : stringLiteral(text);
}

const validation = "+kubebuilder:validation:";

/** Keys that are expressed by the TypeScript type, the field or the comment. */
const elsewhere = new Set([
  "type",
  "description",
  "properties",
  "required",
  "items",
  "nullable",
  "default",
  "additionalProperties",
]);

/**
 * Returns the validation markers for a field or type.
 *
 * @param expressed keys that the TypeScript type already expresses
 * @param lost called for each key that no marker can express
 */
export function constraintMarkers(
  schema: CrdSchema,
  expressed: ReadonlySet<string>,
  lost: (key: string) => void,
): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (expressed.has(key) || elsewhere.has(key) || value === undefined || value === false) return [];
    const marker = markersOf(key, value, schema);
    if (marker === undefined) lost(key);
    return marker ?? [];
  });
}

function markersOf(key: string, value: unknown, schema: CrdSchema): string[] | undefined {
  if (Object.hasOwn(limits, key)) return [`${validation}${limitMarker(key)}=${String(value)}`];
  switch (key) {
    case "format":
      return [`${validation}Format=${stringLiteral(String(value))}`];
    case "pattern":
      return [`${validation}Pattern=${raw(String(value))}`];
    case "enum":
      return enumMarker(value as readonly unknown[]);
    case "title":
      return [`+kubebuilder:title=${stringLiteral(String(value))}`];
    case "externalDocs":
      return externalDocs(value as { url?: unknown; description?: unknown });
    case "example":
      return scalar(value) ? [`+kubebuilder:example=${jsonLiteral(value)}`] : undefined;
    case "x-kubernetes-validations":
      return (value as readonly Readonly<Record<string, unknown>>[]).map(rule);
    case "x-kubernetes-int-or-string":
      return [`${validation}XIntOrString`];
    case "x-kubernetes-preserve-unknown-fields":
      return ["+kubebuilder:pruning:PreserveUnknownFields"];
    case "x-kubernetes-embedded-resource":
      return [`${validation}XEmbeddedResource`];
    case "x-kubernetes-list-type":
      return [`+listType=${String(value)}`];
    case "x-kubernetes-list-map-keys":
      return (value as readonly unknown[]).map((name) => `+listMapKey=${word(String(name))}`);
    case "x-kubernetes-map-type":
      return [`+${schema.additionalProperties === undefined ? "structType" : "mapType"}=${String(value)}`];
    case "anyOf":
      return schema["x-kubernetes-int-or-string"] === true && isPlainIntOrString(schema) ? [] : undefined;
    default:
      return undefined;
  }
}

/** Backticks avoid escape sequences. */
function raw(text: string): string {
  return /[`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) ? stringLiteral(text) : `\`${text}\``;
}

function scalar(value: unknown): boolean {
  return ["string", "boolean", "number", "bigint"].includes(typeof value);
}

function enumMarker(values: readonly unknown[]): string[] | undefined {
  if (!values.every(scalar)) return undefined;
  return [`${validation}Enum=${values.map(jsonLiteral).join(";")}`];
}

function externalDocs({ url, description }: { url?: unknown; description?: unknown }): string[] {
  const about = description === undefined ? "" : `,description=${stringLiteral(String(description))}`;
  return [`+kubebuilder:externalDocs:url=${stringLiteral(String(url))}${about}`];
}

function rule(each: Readonly<Record<string, unknown>>): string {
  const texts = ["rule", "message", "messageExpression", "reason", "fieldPath"]
    .filter((name) => typeof each[name] === "string")
    .map((name) => `${name}=${stringLiteral(each[name] as string)}`);
  const old = typeof each.optionalOldSelf === "boolean" ? [`optionalOldSelf=${each.optionalOldSelf}`] : [];
  return `${validation}XValidation:${[...texts, ...old].join(",")}`;
}
