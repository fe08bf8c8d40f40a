import { jsonLiteral } from "../../../text/typescript.ts";
import { turns } from "../model/effects.ts";
import type { MarkerValue } from "../model/marker-value.ts";
import { marker } from "./define.ts";
import { jsonDefault } from "./own-parsers.ts";

/** Markers that make a field required or optional, and those that set its default. */
export const fieldMarkers = [
  marker({
    name: "optional",
    aliases: [
      { name: "k8s:optional", summary: "Makes the field optional; declarative validation's form of `+optional`." },
      { name: "kubebuilder:validation:Optional", deprecated: true, summary: "Makes the field optional." },
    ],
    targets: ["field"],
    category: "CRD validation",
    summary: "Makes the field optional, even if its declaration has no `?`.",
    requires: false,
  }),
  marker({
    name: "kubebuilder:validation:Optional",
    targets: ["package"],
    category: "CRD validation",
    deprecated: true,
    summary: "Makes all fields of this package optional unless they are marked as required.",
    package(settings) {
      settings.isOptionalByDefault = true;
    },
  }),
  marker({
    name: "required",
    aliases: [{ name: "kubebuilder:validation:Required", deprecated: true, summary: "Makes the field required." }],
    targets: ["field"],
    category: "CRD validation",
    summary: "Makes the field required, even if its declaration has a `?`.",
    requires: true,
  }),
  marker({
    name: "k8s:required",
    targets: ["field"],
    category: "CRD validation",
    summary: "Makes the field required and non-empty.",
    details:
      "Adds `minLength: 1` to strings, `minItems: 1` to arrays, and `minProperties: 1` to structs and maps, unless you set them.",
    requires: true,
    schema(schema, _, { refersToObject }) {
      if (schema.type === "string") schema.minLength ??= 1;
      else if (schema.type === "array") schema.minItems ??= 1;
      else if (schema.type === "object" || refersToObject) schema.minProperties ??= 1;
      return undefined;
    },
  }),
  marker({
    name: "kubebuilder:validation:Required",
    targets: ["package"],
    category: "CRD validation",
    deprecated: true,
    summary: "Makes all fields of this package required unless they are marked as optional, which is also the default.",
  }),
  marker({
    name: "nullable",
    targets: ["field"],
    category: "CRD validation",
    summary: "Allows `null`.",
    keyword: "nullable",
  }),
  marker({
    name: "default",
    targets: ["field"],
    category: "CRD validation",
    value: "any",
    ownParser: jsonDefault,
    summary: "The default value of the field, as JSON.",
    synonyms: [{ tag: "default", json: "required" }],
    details: 'Example: `+default={"replicas": 1}`',
    keyword: "default",
    fromSchema: (value) => [`=${jsonLiteral(value)}`],
    // A reference to a Go constant is null, and ignored.
    schema(schema, value) {
      if (value !== null) schema.default = value;
      return undefined;
    },
    turn: turns.early,
  }),
  marker({
    name: "kubebuilder:default",
    targets: ["field"],
    category: "CRD validation",
    value: "any",
    summary: "The default value of the field; takes precedence over `+default`.",
    details:
      "Example: `+kubebuilder:default={replicas: 1}`. Mark the field as optional, too. A default inside an object requires a default of the object, such as `{}`.",
    keyword: "default",
    schema(schema, value) {
      const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
      if (value === null) delete schema.default;
      else schema.default = schema.type === "array" && isEmpty ? [] : value;
      return undefined;
    },
  }),
  marker({
    name: "kubebuilder:example",
    targets: ["field"],
    category: "CRD validation",
    value: "any",
    summary: "An example value for the documentation.",
    synonyms: [{ tag: "example", json: "optional" }],
    keyword: "example",
  }),
  marker({
    name: "kubebuilder:title",
    targets: ["field", "type"],
    category: "CRD validation",
    value: "any",
    summary: "A title for the documentation; it must be a string.",
    details: 'Example: `+kubebuilder:title="The replicas"`',
    synonyms: [{ tag: "title", write: (text) => `=${JSON.stringify(text)}` }],
    keyword: "title",
    schema(schema, value) {
      if (value === null) return undefined;
      if (typeof value !== "string") return `expected string, got ${kindOf(value)}`;
      if (value === "") delete schema.title;
      else schema.title = value;
      return undefined;
    },
  }),
] as const;

function kindOf(value: MarkerValue): string {
  if (Array.isArray(value)) return "list";
  if (typeof value === "number" || typeof value === "bigint") return Number.isInteger(Number(value)) ? "int" : "number";
  return typeof value === "object" ? "map" : typeof value === "boolean" ? "bool" : typeof value;
}
