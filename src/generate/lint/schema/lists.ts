import type { JSONSchema } from "../../schema/model/json-schema.ts";
import type { Finding, SchemaLint } from "../model/finding.ts";

/** Reports violations of the API server's rules for `x-kubernetes-list-type` and list map keys. */
export const lists: SchemaLint = ({ schema }, report) => {
  const listType = schema["x-kubernetes-list-type"];
  const { items } = schema;
  if (listType === undefined || !items) return;
  const refuse = (message: string, hint: string) =>
    report({ id: "list-type", message, hint, keywords: ["x-kubernetes-list-type"] });
  if (listType !== "atomic" && items.nullable) {
    refuse(`elements of a list with listType=${listType} can't be null`, "remove `| null`, or use listType=atomic");
  }
  if (listType === "set") checkSet(items, refuse);
  if (listType === "map") checkMap(schema, items, refuse, report);
};

type Refuse = (message: string, hint: string) => void;

function checkSet(items: JSONSchema, refuse: Refuse): void {
  const hint = "use listType=atomic, or listType=map with a key";
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    refuse("objects in a list with listType=set must be atomic: elements of a set are compared as a whole", hint);
  }
  const inner = items["x-kubernetes-list-type"];
  if (items.type === "array" && inner !== undefined && inner !== "atomic") {
    refuse("lists in a list with listType=set must be atomic: elements of a set are compared as a whole", hint);
  }
}

function checkMap(schema: JSONSchema, items: JSONSchema, refuse: Refuse, report: (finding: Finding) => void): void {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (keys.length === 0) {
    refuse("a list with listType=map needs a key", "add +listMapKey with the field that identifies an element");
  }
  if (items.type !== "object") {
    refuse(`listType=map requires a list of objects, not of ${items.type ?? "any type"}`, "use listType=set or atomic");
    return;
  }
  for (const key of keys) {
    const property = Object.hasOwn(items.properties ?? {}, key) ? items.properties?.[key] : undefined;
    const finding = keyProblem(key, property, items);
    if (finding) report({ id: "list-map-key", keywords: ["x-kubernetes-list-map-keys"], matching: key, ...finding });
  }
}

function keyProblem(
  key: string,
  property: JSONSchema | undefined,
  items: JSONSchema,
): { message: string; hint: string } | undefined {
  if (!property) {
    const names = Object.keys(items.properties ?? {}).join(", ");
    const hint = names === "" ? "the elements have no fields" : `available: ${names}`;
    return { message: `the key "${key}" isn't a field of the list's elements`, hint };
  }
  if (property.type === "array" || property.type === "object") {
    return { message: `the key "${key}" isn't a scalar`, hint: "use a string, number or boolean field as the key" };
  }
  if (property.nullable) {
    return { message: `the key "${key}" may be null`, hint: "remove `| null` or +nullable from it" };
  }
  if (items.required?.includes(key) || property.default !== undefined) return undefined;
  return {
    message: `the key "${key}" must be required or have a default`,
    hint: `make ${key} required, or add a +kubebuilder:default`,
  };
}
