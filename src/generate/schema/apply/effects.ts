import type { JSONValue } from "../json-schema.ts";
import { type Effect, effect, turns } from "./effect.ts";
import {
  embeddedResource,
  externalDocs,
  generalValidationEffects,
  nullable,
  preserveUnknownFields,
  title,
} from "./general.ts";
import { declarativeLimitEffects, inapplicable, limitEffects } from "./limits.ts";
import { atLeastOneOf, atMostOneOf, exactlyOneOf, immutable, xValidation } from "./rules.ts";
import { listMapKey, listType, mapType, structType } from "./topology.ts";

/** The effect of `kubebuilder:default`, which is applied after `default` and so takes precedence. */
const kubebuilderDefault: Effect = effect((schema, value) => {
  const empty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  const fit = schema.type === "array" && empty ? [] : (value as JSONValue);
  if (fit === null) delete schema.default;
  else schema.default = fit;
  return undefined;
});

/** The effect of `default`: JSON, or a reference to a Go constant, which is ignored. */
const kubernetesDefault: Effect = effect((schema, value) => {
  if (value !== null) schema.default = value as JSONValue;
  return undefined;
}, turns.early);

const example: Effect = effect((schema, value) => {
  if (value === null) delete schema.example;
  else schema.example = value as JSONValue;
  return undefined;
});

/** The effect of `k8s:required`, which also requires content, unless another marker sets a minimum. */
const k8sRequired: Effect = effect((schema, _, { refersToObject }) => {
  if (schema.type === "string") schema.minLength ??= 1;
  else if (schema.type === "array") schema.minItems ??= 1;
  else if (schema.type === "object" || refersToObject) schema.minProperties ??= 1;
  return undefined;
});

/** The effect of `k8s:enum` on a type: uses the members of the type, sorted as upstream sorts its constants. */
const k8sEnum: Effect = effect((schema, _, { target, typeName }) => {
  if (target === "field") return "k8s:enum must be set on a type, not a field";
  if (schema.type !== "string") return `enum type must be a string, not ${schema.type ?? typeName}`;
  if (!schema.enum || schema.enum.length === 0) return `no enum values found for type ${typeName}`;
  schema.enum = [...schema.enum].map(String).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return undefined;
});

const pattern: Effect = effect((schema, value) => {
  const problem = inapplicable(schema, { on: "string" }, "pattern");
  if (problem !== undefined) return problem;
  if (value === "") delete schema.pattern;
  else schema.pattern = String(value);
  return undefined;
});

/** Effects of markers that are valid on types and fields, and with `items:` in the name also for the items of a list. */
const validations = new Map<string, Effect>([
  ...limitEffects,
  ["Pattern", pattern],
  ...generalValidationEffects,
  ["XPreserveUnknownFields", preserveUnknownFields],
  ["XEmbeddedResource", embeddedResource],
  ["XValidation", xValidation],
]);

/** The prefix of most markers. */
export const validationPrefix = "kubebuilder:validation:";
/** The prefix of markers for the items of a list. */
export const itemsPrefix = `${validationPrefix}items:`;

/** The effect of each marker on a schema, by the registry's name. */
export const schemaEffects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ...[...validations].map(([name, effect]) => [validationPrefix + name, effect] as const),
  ...[...validations].map(([name, effect]) => [itemsPrefix + name, effect] as const),
  [`${validationPrefix}ExactlyOneOf`, exactlyOneOf],
  [`${validationPrefix}AtMostOneOf`, atMostOneOf],
  [`${validationPrefix}AtLeastOneOf`, atLeastOneOf],
  [`${validationPrefix}EmbeddedResource`, embeddedResource],
  ["kubebuilder:pruning:PreserveUnknownFields", preserveUnknownFields],
  ["kubebuilder:default", kubebuilderDefault],
  ["kubebuilder:example", example],
  ["kubebuilder:title", title],
  ["kubebuilder:externalDocs", externalDocs],
  ["default", kubernetesDefault],
  ["nullable", nullable],
  ["listType", listType],
  ["listMapKey", listMapKey],
  ["mapType", mapType],
  ["structType", structType],
  ["k8s:listType", listType],
  ["k8s:listMapKey", listMapKey],
  ...declarativeLimitEffects,
  ["k8s:required", k8sRequired],
  ["k8s:enum", k8sEnum],
  ["k8s:immutable", immutable],
]);
