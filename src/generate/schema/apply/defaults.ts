import type { JSONValue } from "../json-schema.ts";
import { type Effect, effect, turns } from "./effect.ts";

/** `kubebuilder:default`, which is applied after `default` and so takes precedence. */
export const kubebuilderDefault: Effect = effect((schema, value) => {
  const empty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  const fit = schema.type === "array" && empty ? [] : (value as JSONValue);
  if (fit === null) delete schema.default;
  else schema.default = fit;
  return undefined;
});

/** `default`: JSON, or a reference to a Go constant, which has no effect. */
export const kubernetesDefault: Effect = effect((schema, value) => {
  if (value !== null) schema.default = value as JSONValue;
  return undefined;
}, turns.early);

export const example: Effect = effect((schema, value) => {
  if (value === null) delete schema.example;
  else schema.example = value as JSONValue;
  return undefined;
});
