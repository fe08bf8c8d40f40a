import type { JSONSchema } from "../../schema/json-schema.ts";
import { type SchemaLint, validation } from "../finding.ts";

const types = ["array", "boolean", "integer", "number", "object", "string"];
const embedded = ["EmbeddedResource", "XEmbeddedResource"].map(validation);
const preserving = ["kubebuilder:pruning:PreserveUnknownFields", validation("XPreserveUnknownFields")];

/** What makes a schema non-structural, so that the API server refuses the CRD. */
export const structural: SchemaLint = ({ schema, parent }, report) => {
  const { type, items, properties } = schema;
  const id = "not-structural";
  const intOrString = schema["x-kubernetes-int-or-string"] === true;
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (type === undefined && !intOrString && !preserves && parent) {
    report({
      id,
      message: "the field has no type, and the API server refuses fields without one",
      hint: "add +kubebuilder:pruning:PreserveUnknownFields to allow any value, or say +kubebuilder:validation:Type",
      markers: [validation("Schemaless")],
    });
  }
  if (type !== undefined && !types.includes(type)) {
    report({
      id,
      message: `there is no type "${type}" in a schema`,
      hint: `write one of ${types.join(", ")}`,
      markers: [validation("Type")],
    });
  }
  if (type === "array" && !items) {
    report({
      id,
      message: "an array needs to say what its elements are",
      hint: "declare the field as `T[]` instead of naming the type in a marker",
      markers: [validation("Type")],
    });
  }
  if (schema["x-kubernetes-map-type"] !== undefined && type !== "object") {
    report({
      id,
      message: `only objects are merged field by field, not ${type ?? "any value"}`,
      hint: "take the marker away",
      markers: ["structType", "mapType"],
    });
  }
  if (schema.uniqueItems) {
    report({
      id,
      message: "the API server refuses uniqueItems, because checking it takes too long",
      hint: "use +listType=set instead",
      markers: [validation("UniqueItems")],
    });
  }
  if (properties && Object.keys(properties).length > 0 && typeof schema.additionalProperties === "object") {
    report({ id, message: "an object has either fields or arbitrary keys, not both", hint: "move the map to a field" });
  }
  if (intOrString && preserves) {
    report({
      id,
      message: "what is an integer or a string has no unknown fields to preserve",
      hint: "take one of the two markers away",
      markers: preserving,
    });
  }
  if (schema["x-kubernetes-embedded-resource"])
    checkEmbedded(schema, (message, hint) => {
      report({ id, message, hint, markers: embedded });
    });
};

function checkEmbedded(schema: JSONSchema, refuse: (message: string, hint: string) => void): void {
  if (schema.type !== "object") {
    refuse(`an embedded resource is an object, not ${schema.type ?? "anything"}`, "declare the field as RawExtension");
  } else if (schema.additionalProperties !== undefined) {
    refuse("an embedded resource has fields, not arbitrary keys", "declare the field as RawExtension");
  } else if (!schema["x-kubernetes-preserve-unknown-fields"] && Object.keys(schema.properties ?? {}).length === 0) {
    refuse(
      "an embedded resource without fields keeps none of its content",
      "add +kubebuilder:pruning:PreserveUnknownFields",
    );
  }
}
