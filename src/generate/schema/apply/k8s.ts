import { type Effect, effect } from "./effect.ts";

/** `k8s:required` also requires content, unless another marker sets a minimum. */
export const k8sRequired: Effect = effect((schema, _, { refersToObject }) => {
  if (schema.type === "string") schema.minLength ??= 1;
  else if (schema.type === "array") schema.minItems ??= 1;
  else if (schema.type === "object" || refersToObject) schema.minProperties ??= 1;
  return undefined;
});

/** `k8s:enum` on a type: uses the members of the type, sorted as upstream sorts its constants. */
export const k8sEnum: Effect = effect((schema, _, { target, typeName }) => {
  if (target === "field") return "k8s:enum must be set on a type, not a field";
  if (schema.type !== "string") return `enum type must be a string, not ${schema.type ?? typeName}`;
  if (!schema.enum || schema.enum.length === 0) return `no enum values found for type ${typeName}`;
  schema.enum = [...schema.enum].map(String).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return undefined;
});
