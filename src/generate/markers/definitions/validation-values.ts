import { turns } from "../model/effects.ts";
import { rawLiteral, scalars, word } from "../model/words.ts";
import { marker } from "./define.ts";
import { inapplicable } from "./limits.ts";

/** Markers for allowed values, types and formats. */
export const valueMarkers = [
  marker({
    name: "kubebuilder:validation:Pattern",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "string",
    forItems: true,
    summary: "Sets a regular expression (RE2 syntax) that strings must match.",
    details: "Example: ``+kubebuilder:validation:Pattern=`^[a-z]+$` ``. In backticks nothing needs to be escaped.",
    synonyms: [{ tag: "pattern", write: (text) => `=${JSON.stringify(text)}` }],
    keyword: "pattern",
    fromSchema: (value) => [`=${rawLiteral(String(value))}`],
    check: (schema) => inapplicable(schema, { on: "string" }, "pattern"),
  }),
  marker({
    name: "kubebuilder:validation:Enum",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "[]any",
    forItems: true,
    summary: "Sets the allowed values.",
    details:
      "Example: `+kubebuilder:validation:Enum=Allow;Forbid;Replace`. Don't put spaces around the semicolons: a word before a space is lost.",
    keyword: "enum",
    fromSchema(values) {
      const text = scalars(values as readonly unknown[]);
      return text === undefined ? undefined : [`=${text}`];
    },
  }),
  marker({
    name: "k8s:enum",
    targets: ["type"],
    category: "CRD",
    summary: "Makes this string type an enum of the constants that are declared with it.",
    // The members of the type, sorted as upstream sorts its constants.
    schema(schema, _, { typeName }) {
      if (schema.type !== "string") return `enum type must be a string, not ${schema.type ?? typeName}`;
      if (!schema.enum || schema.enum.length === 0) return `no enum values found for type ${typeName}`;
      schema.enum = [...schema.enum].map(String).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      return undefined;
    },
  }),
  marker({
    // Registered for fields only to report that it belongs on the type; the help doesn't list it.
    name: "k8s:enum",
    targets: ["field"],
    category: "",
    summary: "Belongs on a type, not on a field.",
    schema: () => "k8s:enum must be set on a type, not a field",
  }),
  marker({
    name: "kubebuilder:validation:Format",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "string",
    forItems: true,
    summary: "Sets the OpenAPI format of the value, such as `date-time`, `uuid` or `cidr`.",
    details: "The API server doesn't validate unknown formats.",
    synonyms: [{ tag: "format", write: (text) => `=${JSON.stringify(text)}` }],
    keyword: "format",
  }),
  marker({
    name: "kubebuilder:validation:Type",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "string",
    forItems: true,
    summary: "Overrides the schema type that is derived from the TypeScript type.",
    details: "Example: `+kubebuilder:validation:Type=string`",
    keyword: "type",
    fromSchema: (value) => [`=${word(String(value))}`],
    turn: turns.type,
  }),
  marker({
    name: "kubebuilder:validation:XIntOrString",
    targets: ["field", "type"],
    category: "CRD validation",
    forItems: true,
    summary: "Allows an integer or a string.",
    details: "Required for string limits, patterns and enums on an `IntOrString`.",
    keyword: "x-kubernetes-int-or-string",
    turn: turns.early,
  }),
  marker({
    name: "kubebuilder:validation:XEmbeddedResource",
    aliases: [
      {
        name: "kubebuilder:validation:EmbeddedResource",
        targets: ["field"],
        summary: "Declares that the field is a complete Kubernetes object with apiVersion, kind and metadata.",
      },
    ],
    targets: ["field", "type"],
    category: "CRD validation",
    forItems: true,
    summary: "Declares that the value is a complete Kubernetes object with apiVersion, kind and metadata.",
    keyword: "x-kubernetes-embedded-resource",
  }),
  marker({
    name: "kubebuilder:validation:Schemaless",
    targets: ["field"],
    category: "CRD validation",
    summary: "Omits the schema of the field's type: only the field's own markers apply.",
    details:
      "Combine it with `+kubebuilder:pruning:PreserveUnknownFields`, otherwise the API server drops the content of the field.",
    isSchemaless: true,
  }),
] as const;
