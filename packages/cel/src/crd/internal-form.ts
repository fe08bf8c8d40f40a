import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { equalJson, sortKeys } from "../json/values.ts";
import { withNumericLimits } from "../schema/numeric-limits.ts";
import type { Schema } from "../schema/schema.ts";

/** A version of a definition as the server keeps it internally. */
export interface DefinitionVersion extends JsonObject {
  name: string;
  served: boolean;
  storage: boolean;
}

/**
 * The spec of a definition as the server validates it: what all versions have in common is moved to the top. The paths of errors
 * follow this form.
 */
export interface InternalSpec {
  group: string;
  scope: string;
  names: JsonObject;
  versions: DefinitionVersion[];
  /** False if the definition has no list of versions. */
  hasVersions: boolean;
  validation?: JsonObject;
  subresources?: JsonObject;
  additionalPrinterColumns?: Json[];
  selectableFields?: Json[];
  conversion?: JsonObject;
  preserveUnknownFields: boolean;
}

const shared = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/**
 * Converts the spec of a definition to its internal form.
 *
 * @param spec - the spec of apiextensions.k8s.io/v1
 * @returns the internal form
 */
export function internalSpec(spec: JsonObject): InternalSpec {
  const versions = (Array.isArray(spec.versions) ? spec.versions : []).filter(isObject).map((version) => ({
    ...version,
    name: textOf(version.name),
    served: version.served === true,
    storage: version.storage === true,
  })) as DefinitionVersion[];
  const top: JsonObject = {};
  for (const field of shared) {
    const values = versions.map((version) => present(version[field]));
    if (versions.length === 0 || !values.every((value) => equalJson(value, values[0]))) continue;
    if (values[0] !== undefined) top[field === "schema" ? "validation" : field] = values[0];
    for (const version of versions) delete version[field];
  }
  return {
    group: textOf(spec.group),
    scope: textOf(spec.scope),
    names: isObject(spec.names) ? spec.names : {},
    versions,
    hasVersions: Array.isArray(spec.versions),
    ...top,
    ...(isObject(spec.conversion) ? { conversion: spec.conversion } : {}),
    preserveUnknownFields: spec.preserveUnknownFields === true,
  };
}

/** @returns a text; empty if the value isn't a text */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** @returns the value, or `undefined` for null and empty lists, which the server doesn't distinguish */
function present(value: Json | undefined): Json | undefined {
  return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

/** @returns the schema of a validation, if it has one */
export function schemaOf(validation: Json | undefined): Schema | undefined {
  if (!isObject(validation) || !isObject(validation.openAPIV3Schema)) return undefined;
  return withNumericLimits(validation.openAPIV3Schema as Schema);
}

/** The fields of schemas in the server's order, with their names there. */
export const schemaFields: readonly [string, string, Json][] = [
  ["id", "ID", ""],
  ["$schema", "Schema", ""],
  ["$ref", "Ref", null],
  ["description", "Description", ""],
  ["type", "Type", ""],
  ["nullable", "Nullable", false],
  ["format", "Format", ""],
  ["title", "Title", ""],
  ["default", "Default", null],
  ["maximum", "Maximum", null],
  ["exclusiveMaximum", "ExclusiveMaximum", false],
  ["minimum", "Minimum", null],
  ["exclusiveMinimum", "ExclusiveMinimum", false],
  ["maxLength", "MaxLength", null],
  ["minLength", "MinLength", null],
  ["pattern", "Pattern", ""],
  ["maxItems", "MaxItems", null],
  ["minItems", "MinItems", null],
  ["uniqueItems", "UniqueItems", false],
  ["multipleOf", "MultipleOf", null],
  ["enum", "Enum", null],
  ["maxProperties", "MaxProperties", null],
  ["minProperties", "MinProperties", null],
  ["required", "Required", null],
  ["items", "Items", null],
  ["allOf", "AllOf", null],
  ["oneOf", "OneOf", null],
  ["anyOf", "AnyOf", null],
  ["not", "Not", null],
  ["properties", "Properties", null],
  ["additionalProperties", "AdditionalProperties", null],
  ["patternProperties", "PatternProperties", null],
  ["dependencies", "Dependencies", null],
  ["additionalItems", "AdditionalItems", null],
  ["definitions", "Definitions", null],
  ["externalDocs", "ExternalDocs", null],
  ["example", "Example", null],
  ["x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields", null],
  ["x-kubernetes-embedded-resource", "XEmbeddedResource", false],
  ["x-kubernetes-int-or-string", "XIntOrString", false],
  ["x-kubernetes-list-map-keys", "XListMapKeys", null],
  ["x-kubernetes-list-type", "XListType", null],
  ["x-kubernetes-map-type", "XMapType", null],
  ["x-kubernetes-validations", "XValidations", null],
];

/** @returns a schema as messages of the server show it */
export function shownSchema(schema: Json | undefined): Json {
  if (!isObject(schema)) return null;
  const shown: JsonObject = {};
  for (const [name, goName, empty] of schemaFields) shown[goName] = shownField(name, schema[name] ?? empty);
  return shown;
}

/** @returns the schema or schemas of items as messages of the server show them */
export function shownItems(items: Json): Json {
  return Array.isArray(items)
    ? { Schema: null, JSONSchemas: items.map(shownSchema) }
    : { Schema: shownSchema(items), JSONSchemas: null };
}

function shownField(name: string, value: Json): Json {
  if (value === null) return null;
  switch (name) {
    case "items":
      return shownItems(value);
    case "allOf":
    case "oneOf":
    case "anyOf":
      return Array.isArray(value) ? value.map(shownSchema) : value;
    case "not":
      return shownSchema(value);
    case "properties":
    case "patternProperties":
    case "definitions":
      return mapOf(value, shownSchema);
    case "additionalProperties":
    case "additionalItems":
      return isObject(value) ? { Allows: true, Schema: shownSchema(value) } : { Allows: value === true, Schema: null };
    case "externalDocs":
      return isObject(value) ? { Description: value.description ?? "", URL: value.url ?? "" } : value;
    case "x-kubernetes-validations":
      return Array.isArray(value) ? value.map(shownRule) : value;
    default:
      return sortKeys(value);
  }
}

function mapOf(value: Json, show: (nested: Json | undefined) => Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, show(value[key])]),
  );
}

/** @returns a rule of CEL as messages of the server show it */
export function shownRule(rule: Json | undefined): Json {
  if (!isObject(rule)) return null;
  return {
    Rule: rule.rule ?? "",
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

/** @returns the versions of a definition as messages of the server show them */
export function shownVersions(versions: readonly DefinitionVersion[]): Json {
  return versions.map((version) => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated === true,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: isObject(version.schema) ? { OpenAPIV3Schema: shownSchema(version.schema.openAPIV3Schema) } : null,
    Subresources: shownSubresources(version.subresources),
    AdditionalPrinterColumns: Array.isArray(version.additionalPrinterColumns)
      ? version.additionalPrinterColumns.map(shownColumn)
      : null,
    SelectableFields: Array.isArray(version.selectableFields)
      ? version.selectableFields.map((field) => ({ JSONPath: isObject(field) ? (field.jsonPath ?? "") : "" }))
      : null,
  }));
}

function shownSubresources(value: Json | undefined): Json {
  if (!isObject(value)) return null;
  const scale = value.scale;
  return {
    Status: isObject(value.status) ? {} : null,
    Scale: isObject(scale)
      ? {
          SpecReplicasPath: scale.specReplicasPath ?? "",
          StatusReplicasPath: scale.statusReplicasPath ?? "",
          LabelSelectorPath: scale.labelSelectorPath ?? null,
        }
      : null,
  };
}

function shownColumn(column: Json): Json {
  if (!isObject(column)) return null;
  return {
    Name: column.name ?? "",
    Type: column.type ?? "",
    Format: column.format ?? "",
    Description: column.description ?? "",
    Priority: column.priority ?? 0,
    JSONPath: column.jsonPath ?? "",
  };
}
