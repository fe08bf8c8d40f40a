import type { JSONSchema } from "../../schema/model/json-schema.ts";
import type { SchemaLint } from "../model/finding.ts";

const types = ["array", "boolean", "integer", "number", "object", "string"];

/** Reports non-structural schemas, with which the API server rejects the CRD. */
export const structural: SchemaLint = ({ schema, parent }, report) => {
  const { type, items, properties } = schema;
  const id = "not-structural";
  const intOrString = schema["x-kubernetes-int-or-string"] === true;
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (type === undefined && !intOrString && !preserves && parent) {
    report({
      id,
      message: "the field has no type, which the API server requires",
      hint: "add +kubebuilder:pruning:PreserveUnknownFields to allow any value, or set +kubebuilder:validation:Type",
      markers: ["kubebuilder:validation:Schemaless"],
    });
  }
  if (type !== undefined && !types.includes(type)) {
    report({
      id,
      message: `unknown schema type "${type}"`,
      hint: `use one of ${types.join(", ")}`,
      keywords: ["type"],
    });
  }
  if (type === "array" && !items) {
    report({
      id,
      message: "the array has no type for its elements",
      hint: "declare the field as `T[]` instead of setting the type with a marker",
      keywords: ["type"],
    });
  }
  if (schema["x-kubernetes-map-type"] !== undefined && type !== "object") {
    report({
      id,
      message: `mapType and structType apply to objects only, not to ${type ?? "any value"}`,
      hint: "remove the marker",
      keywords: ["x-kubernetes-map-type"],
    });
  }
  if (schema.uniqueItems) {
    report({
      id,
      message: "the API server rejects uniqueItems, because checking it is too slow",
      hint: "use +listType=set instead",
      keywords: ["uniqueItems"],
    });
  }
  if (properties && Object.keys(properties).length > 0 && typeof schema.additionalProperties === "object") {
    report({ id, message: "an object can't have both fields and arbitrary keys", hint: "move the map to a field" });
  }
  if (intOrString && preserves) {
    report({
      id,
      message: "an int-or-string can't preserve unknown fields",
      hint: "remove one of the two markers",
      keywords: ["x-kubernetes-preserve-unknown-fields"],
    });
  }
  if (schema["x-kubernetes-embedded-resource"])
    checkEmbedded(schema, (message, hint) => {
      report({ id, message, hint, keywords: ["x-kubernetes-embedded-resource"] });
    });
};

function checkEmbedded(schema: JSONSchema, refuse: (message: string, hint: string) => void): void {
  if (schema.type !== "object") {
    refuse(
      `an embedded resource must be an object, not ${schema.type ?? "any type"}`,
      "declare the field as RawExtension",
    );
  } else if (schema.additionalProperties !== undefined) {
    refuse("an embedded resource can't have arbitrary keys", "declare the field as RawExtension");
  } else if (!schema["x-kubernetes-preserve-unknown-fields"] && Object.keys(schema.properties ?? {}).length === 0) {
    refuse(
      "an embedded resource without fields loses all of its content",
      "add +kubebuilder:pruning:PreserveUnknownFields",
    );
  }
}
