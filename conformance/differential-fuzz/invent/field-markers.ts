import type { Random } from "../../../scripts/test-support/random.ts";
import type { Facet } from "../facets.ts";
import { goQuoted, quoted, text } from "./texts.ts";
import { anyValue, json, number } from "./values.ts";

const prefix = "kubebuilder:validation:";
const patterns = ["^[a-z]+$", "^(a|b)*$", "^\\d{3}-\\d{4}$", "^[^:]+:.*$", "'", "^\\S+\\s#x$"];
const size = (random: Random): string => random.pick(["0", "1", "3", "63", "253"]);
const assign = (random: Random): string => random.pick(["=", "=", ":="]);

/** Returns the validations for a JSON type with their arguments, each once. */
function validations(random: Random, facet: Facet): string[] {
  const limit = (): string => (facet === "number" ? random.pick(["0.5", "-1.25", "10", "1e3"]) : number(random));
  const eq = assign(random);
  switch (facet) {
    case "string":
      return [
        `MinLength${eq}${size(random)}`,
        `MaxLength${eq}${size(random)}`,
        `Pattern${eq}${patternArgument(random)}`,
        `Format${eq}${random.pick(["date-time", "uri", "byte", "hostname", '"ipv4"'])}`,
      ];
    case "integer":
    case "number":
      return [
        `Minimum${eq}${limit()}`,
        `Maximum${eq}${limit()}`,
        `MultipleOf${eq}${random.pick(["2", "10"])}`,
        `ExclusiveMinimum${eq}${random.chance(0.7)}`,
        `ExclusiveMaximum${eq}${random.chance(0.7)}`,
        `Format${eq}${random.pick(["int32", "int64"])}`,
      ];
    case "array":
      return [`MinItems${eq}${size(random)}`, `MaxItems${eq}${size(random)}`, `UniqueItems${eq}${random.chance(0.5)}`];
    case "object":
      return [`MinProperties${eq}${size(random)}`, `MaxProperties${eq}${size(random)}`];
    default:
      return [];
  }
}

function patternArgument(random: Random): string {
  const pattern = random.pick(patterns);
  return random.chance(0.6) ? `\`${pattern}\`` : goQuoted(pattern);
}

function enumValues(random: Random, facet: Facet): string {
  const values =
    facet === "integer"
      ? random.pick(["1;2;3", "{1,2}", "0;10"])
      : random.pick(['A;B;"C d"', "{a,b}", "Allow;Forbid", '"";x', "1;true;a", "{`x y`,z}"]);
  return `Enum${assign(random)}${values}`;
}

/** Generates a CEL rule with some of its optional arguments. */
export function xValidation(random: Random): string {
  const rule = random.pick(["self == oldSelf", "true", "has(self.a) || 'x' in self", "size(self) > 0"]);
  const parts = [`rule=${random.chance(0.5) ? `"${rule}"` : `\`${rule}\``}`];
  if (random.chance(0.7)) parts.push(`message=${quoted(random, random.pick(["is wrong", "a: b", "no, never; ever"]))}`);
  if (random.chance(0.2)) parts.push(`messageExpression="'got ' + string(self)"`);
  if (random.chance(0.3)) parts.push(`reason=${random.pick(["FieldValueInvalid", "FieldValueForbidden"])}`);
  if (random.chance(0.2)) parts.push("fieldPath=`.spec.a`");
  if (random.chance(0.2)) parts.push(`optionalOldSelf=${random.chance(0.5)}`);
  return `XValidation:${parts.join(",")}`;
}

/** Generates markers that are valid on both types and fields, without conflicts. */
export function sharedMarkers(random: Random, facet: Facet, item: Facet | undefined): string[] {
  const chosen = random.some(validations(random, facet), 3).map((each) => prefix + each);
  if (random.chance(0.12)) chosen.push(prefix + enumValues(random, facet));
  if (random.chance(0.1)) chosen.push(prefix + xValidation(random));
  if (random.chance(0.06)) chosen.push(prefix + xValidation(random));
  if (random.chance(0.05)) chosen.push(`kubebuilder:title=${goQuoted(text(random))}`);
  if (random.chance(0.05)) chosen.push(externalDocs(random));
  if (random.chance(0.04)) chosen.push("kubebuilder:pruning:PreserveUnknownFields");
  if (random.chance(0.02)) chosen.push(`${prefix}XPreserveUnknownFields`);
  if (random.chance(0.02)) chosen.push(`${prefix}XEmbeddedResource`);
  if (facet === "array") chosen.push(...listMarkers(random));
  if ((facet === "string" || facet === "integer") && random.chance(0.015)) chosen.push(`${prefix}${otherType(random)}`);
  if (facet === "object" && random.chance(0.2)) chosen.push(`mapType=${random.pick(["granular", "atomic"])}`);
  if (item !== undefined) {
    const some = [...validations(random, item), enumValues(random, item), xValidation(random), otherType(random)];
    const forItems = random.some(some, 2);
    if (random.chance(0.3)) chosen.push(...forItems.map((forItem) => `${prefix}items:${forItem}`));
  }
  return chosen;
}

/** Returns a marker that changes the type of a scalar. */
function otherType(random: Random): string {
  return random.pick(["Type=string", "Type=integer", "Type=number", "XIntOrString", "XIntOrString"]);
}

function listMarkers(random: Random): string[] {
  if (random.chance(0.6)) return [];
  const k8s = random.chance(0.3) ? "k8s:" : "";
  const type = random.pick(["map", "set", "atomic"]);
  const keys = type === "map" ? random.pick([["name"], ["a", "b"], ["type", "type"]]) : [];
  return [`${k8s}listType=${type}`, ...keys.map((key) => `${k8s}listMapKey=${key}`)];
}

function externalDocs(random: Random): string {
  const description = random.chance(0.5) ? `,description=${goQuoted(text(random))}` : "";
  return `kubebuilder:externalDocs:url=${random.pick(["https://example.com", '"https://example.com/a?b=c"'])}${description}`;
}

/** Generates markers that are only valid on fields. `mayBeRequired`: no one-of rule contains the field. */
export function fieldMarkers(random: Random, facet: Facet, mayBeRequired: boolean): string[] {
  const chosen: string[] = [];
  if (random.chance(0.15)) chosen.push(random.pick(["optional", "k8s:optional", `${prefix}Optional`]));
  if (mayBeRequired && random.chance(0.2)) chosen.push(random.pick(["required", "k8s:required", `${prefix}Required`]));
  if (random.chance(0.06)) chosen.push("nullable");
  if (random.chance(0.12)) chosen.push(`kubebuilder:default${assign(random)}${anyValue(random)}`);
  if (random.chance(0.06)) chosen.push(`default=${json(random)}`);
  if (random.chance(0.06)) chosen.push(`kubebuilder:example${assign(random)}${anyValue(random)}`);
  if (random.chance(0.03)) chosen.push(`${prefix}Schemaless`);
  if (random.chance(0.03)) chosen.push(`${prefix}EmbeddedResource`);
  if (random.chance(0.05)) chosen.push("k8s:immutable");
  if (facet === "array" && random.chance(0.1))
    chosen.push(`k8s:maxItems=${size(random)}${random.pick(["", " # why"])}`);
  if ((facet === "integer" || facet === "number") && random.chance(0.1)) {
    chosen.push(`k8s:minimum=${number(random)}`, `k8s:maximum=${number(random)}`);
  }
  if (random.chance(0.03)) chosen.push(random.pick(["operator-sdk:csv:x=1", "k8s:openapi-gen=true", "genclient"]));
  return chosen;
}

/**
 * Removes one of two markers with the same effect, or with rules in the same list: the reference applies them in random
 * order.
 */
export function withoutRivals(markers: readonly string[]): string[] {
  const has = (name: string): boolean => markers.some((marker) => marker.startsWith(name));
  return markers.filter((marker) => {
    if (marker.startsWith(`${prefix}XValidation`)) return !has("k8s:immutable");
    const spelling = /^k8s:(minimum|maximum|maxItems)\b/.exec(marker)?.[1];
    return spelling === undefined || !has(`${prefix}${spelling.charAt(0).toUpperCase()}${spelling.slice(1)}`);
  });
}
