import { schemaOf, textOf } from "@kubewright/cel/crd";
import { encodeJson, goQuote, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { nestedSchemas, type Schema, supportedFormat } from "@kubewright/cel/schema";

/**
 * Sets the defaults of a definition, in place.
 *
 * @param definition - the definition of apiextensions.k8s.io/v1
 */
export function defaultDefinition(definition: JsonObject): void {
  const { spec } = definition;
  if (!isObject(spec)) return;
  const names = isObject(spec.names) ? spec.names : {};
  const kind = textOf(names.kind);
  if (textOf(names.singular) === "" && kind !== "") names.singular = kind.toLowerCase();
  if (textOf(names.listKind) === "" && kind !== "") names.listKind = `${kind}List`;
  spec.conversion ??= { strategy: "None" };
  const webhook = isObject(spec.conversion) ? spec.conversion.webhook : undefined;
  const config = isObject(webhook) ? webhook.clientConfig : undefined;
  if (isObject(config) && isObject(config.service)) config.service.port ??= 443;
}

/**
 * Sets the stored version of a definition whose status has none, in place.
 *
 * @param definition - the definition
 */
export function defaultStoredVersions(definition: JsonObject): void {
  const status = isObject(definition.status) ? definition.status : {};
  if (Array.isArray(status.storedVersions) && status.storedVersions.length > 0) return;
  const storage = versionsOf(definition).find((version) => version.storage === true);
  if (storage !== undefined) definition.status = { ...status, storedVersions: [textOf(storage.name)] };
}

/**
 * Prepares a new definition: clears the status and sets the stored version, in place.
 *
 * @param definition - the definition
 */
export function prepareNewDefinition(definition: JsonObject): void {
  const storage = versionsOf(definition).find((version) => version.storage === true);
  definition.status = {
    conditions: null,
    acceptedNames: { plural: "", kind: "" },
    storedVersions: storage === undefined ? null : [textOf(storage.name)],
  };
}

/**
 * Prepares a definition that replaces another: takes over its status and adds the stored version, in place.
 *
 * @param definition - the new definition
 * @param old - the stored definition
 */
export function prepareDefinitionUpdate(definition: JsonObject, old: JsonObject): void {
  const status: JsonObject = isObject(old.status) ? { ...old.status } : {};
  const stored = Array.isArray(status.storedVersions) ? status.storedVersions : [];
  const storage = versionsOf(definition).find((version) => version.storage === true);
  const name = textOf(storage?.name);
  if (storage !== undefined && !stored.includes(name)) status.storedVersions = [...stored, name];
  definition.status = status;
}

/** Returns the versions of a definition. */
export function versionsOf(definition: JsonObject): JsonObject[] {
  const versions = isObject(definition.spec) ? definition.spec.versions : undefined;
  return Array.isArray(versions) ? versions.filter(isObject) : [];
}

/**
 * Returns the warnings for formats that schemas use and the server ignores.
 *
 * @param definition - the definition
 * @param old - the stored definition; its formats cause no warnings
 * @returns the warnings
 */
export function definitionWarnings(definition: JsonObject, old?: JsonObject): string[] {
  const oldFormats = new Set(old === undefined ? [] : ignoredFormats(old));
  const formats = ignoredFormats(definition)
    .filter((format) => !oldFormats.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
  const oldTypes = old === undefined ? [] : typesInSets(old);
  const types = typesInSets(definition).filter((type) => !oldTypes.includes(type));
  const problem = "is not supported by server-side apply or CEL validation rules";
  return [
    ...formats,
    ...types.map((type) => `x-kubernetes-list-type: set for items of type ${goQuote(type)} ${problem}`),
  ];
}

/** Returns the types of items of sets that aren't scalars. */
function typesInSets(definition: JsonObject): string[] {
  const types = new Set<string>();
  const collect = (schema: Schema): void => {
    const { type = "" } = (isObject(schema.items) ? schema.items : {}) as Schema;
    if (schema["x-kubernetes-list-type"] === "set" && (type === "object" || type === "array")) types.add(type);
    for (const nested of nestedSchemas(schema)) collect(nested);
  };
  for (const version of versionsOf(definition)) {
    const schema = schemaOf(version.schema as Json | undefined);
    if (schema !== undefined) collect(schema);
  }
  return [...types].sort();
}

function ignoredFormats(definition: JsonObject): string[] {
  const formats: string[] = [];
  const texts = new Set<string>();
  for (const version of versionsOf(definition)) {
    // Equal schemas of all versions are one schema in the server.
    const text = encodeJson(version.schema ?? null);
    if (texts.has(text) && texts.size === 1) continue;
    texts.add(text);
    const schema = schemaOf(version.schema as Json | undefined);
    if (schema !== undefined) collectFormats(schema, formats);
  }
  return formats;
}

function collectFormats(schema: Schema, formats: string[]): void {
  const format = schema.format ?? "";
  if (format !== "" && supportedFormat(schema.type ?? "", format) === "") formats.push(format);
  for (const nested of nestedSchemas(schema)) collectFormats(nested, formats);
}
