import {
  type DefinitionVersion,
  hasDefaults,
  hasExtensions,
  type InternalSpec,
  internalSpec,
  rulesForUpdate,
  schemaOf,
  shownVersions,
  textOf,
  type ValidationRules,
  validateValidation,
} from "@kubewright/cel/crd";
import { compareBytes, equalJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import {
  at,
  child,
  type FieldError,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPrintable,
  nameIsDNSSubdomain,
  notSupported,
  required,
  validateImmutable,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@kubewright/cel/validation";
import { validateApproval } from "./api-approval.ts";
import { validateColumns, validateSelectableFields, validateSubresources } from "./validate-access.ts";
import { hasKnownReviewVersion, isCABundle, validateConversion } from "./validate-conversion.ts";

interface Options {
  rules: ValidationRules;
  requireKnownReviewVersion: boolean;
  requireImmutableNames: boolean;
  allowInvalidCA: boolean;
  /** The versions whose schema is the same as before. */
  unchangedSchemas: ReadonlySet<string>;
  /** The versions that may keep too many selectable fields; empty text for the fields of all versions. */
  tooManySelectable: ReadonlySet<string>;
}

/**
 * Validates a new CustomResourceDefinition, with defaults and with `status.storedVersions` set.
 *
 * @param definition - the definition of apiextensions.k8s.io/v1
 * @returns the errors in the order of the real server
 */
export function validateDefinition(definition: JsonObject): FieldError[] {
  const spec = specOf(definition);
  const name = (value: string, prefix: boolean) => {
    const rules = nameIsDNSSubdomain(value, prefix);
    const expected = `${textOf(spec.names.plural)}.${spec.group}`;
    return value === expected ? rules : [...rules, 'must be spec.names.plural+"."+spec.group'];
  };
  const options: Options = {
    rules: rulesForUpdate([{}]),
    requireKnownReviewVersion: true,
    requireImmutableNames: false,
    allowInvalidCA: true,
    unchangedSchemas: new Set(),
    tooManySelectable: new Set(),
  };
  return [
    ...validateObjectMeta(fieldsOf(definition.metadata), false, name),
    ...validateSpec(spec, options),
    ...validateStatus(definition, spec),
    ...validateApproval(definition, undefined),
    ...validatePreserve(spec, undefined),
  ];
}

/**
 * Validates a CustomResourceDefinition that replaces another. Rules that the stored definition breaks aren't applied.
 *
 * @param definition - the new definition, with the status of the stored one
 * @param old - the stored definition
 * @returns the errors in the order of the real server
 */
export function validateDefinitionUpdate(definition: JsonObject, old: JsonObject): FieldError[] {
  const spec = specOf(definition);
  const oldSpec = specOf(old);
  const established = isConditionTrue(old, "Established");
  const schemas = new Map(oldSpec.versions.map((version) => [version.name, schemaOfVersion(oldSpec, version)]));
  const options: Options = {
    rules: rulesForUpdate([...schemas.values()]),
    requireKnownReviewVersion: hasKnownReviewVersion(oldSpec.conversion),
    requireImmutableNames: established,
    allowInvalidCA: !established || hasInvalidCA(oldSpec),
    unchangedSchemas: new Set(
      spec.versions
        .filter((version) => {
          const before = schemas.get(version.name);
          const after = schemaOfVersion(spec, version);
          return schemas.has(version.name) && equalJson(before as Json | undefined, after as Json | undefined);
        })
        .map((version) => version.name),
    ),
    tooManySelectable: tooManySelectable(spec, oldSpec),
  };
  const immutable = (value: Json | undefined, before: Json | undefined, field: string) =>
    validateImmutable(value ?? "", before ?? "", field);
  return [
    ...validateObjectMetaUpdate(fieldsOf(definition.metadata), fieldsOf(old.metadata)),
    ...validateSpec(spec, options),
    ...(established ? immutable(spec.scope, oldSpec.scope, "spec.scope") : []),
    ...(established ? immutable(spec.names.kind, oldSpec.names.kind, "spec.names.kind") : []),
    ...immutable(spec.group, oldSpec.group, "spec.group"),
    ...immutable(spec.names.plural, oldSpec.names.plural, "spec.names.plural"),
    ...validateStatus(definition, spec),
    ...validateApproval(definition, old),
    ...validatePreserve(spec, oldSpec),
  ];
}

/**
 * Validates an update of the status of a definition.
 *
 * @param definition - the new definition
 * @param old - the stored definition
 * @returns the errors
 */
export function validateDefinitionStatus(definition: JsonObject, old: JsonObject): FieldError[] {
  const names = fieldsOf(fieldsOf(definition.status).acceptedNames);
  return [
    ...validateObjectMetaUpdate(fieldsOf(definition.metadata), fieldsOf(old.metadata)),
    ...validateNames(names, "status.acceptedNames"),
  ];
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function specOf(definition: JsonObject): InternalSpec {
  return internalSpec(fieldsOf(definition.spec));
}

/** Returns true if a definition has a condition with the status `True`. */
export function isConditionTrue(definition: JsonObject, type: string): boolean {
  const { conditions } = fieldsOf(definition.status);
  return (
    Array.isArray(conditions) &&
    conditions.some((condition) => isObject(condition) && condition.type === type && condition.status === "True")
  );
}

function hasInvalidCA(spec: InternalSpec): boolean {
  const config = fieldsOf(fieldsOf(spec.conversion?.webhook).clientConfig);
  return !isCABundle(textOf(config.caBundle));
}

function schemaOfVersion(spec: InternalSpec, version: DefinitionVersion): Schema | undefined {
  return schemaOf(spec.validation ?? version.schema);
}

const maxSelectableFields = 8;

function tooManySelectable(spec: InternalSpec, old: InternalSpec): Set<string> {
  const allowed = new Set<string>();
  const many = (fields: Json | undefined) => Array.isArray(fields) && fields.length > maxSelectableFields;
  if (many(old.selectableFields) && equalJson(spec.selectableFields, old.selectableFields)) allowed.add("");
  for (const version of spec.versions) {
    const before = old.versions.find(({ name }) => name === version.name);
    if (before === undefined || !many(before.selectableFields)) continue;
    if (equalJson(version.selectableFields, before.selectableFields)) allowed.add(version.name);
  }
  return allowed;
}

function validatePreserve(spec: InternalSpec, old: InternalSpec | undefined): FieldError[] {
  if (!spec.preserveUnknownFields || old?.preserveUnknownFields === true) return [];
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalidValue("spec.preserveUnknownFields", true, detail)];
}

function validateStatus(definition: JsonObject, spec: InternalSpec): FieldError[] {
  const status = fieldsOf(definition.status);
  const errors = validateNames(fieldsOf(status.acceptedNames), "status.acceptedNames");
  const stored = Array.isArray(status.storedVersions) ? (status.storedVersions as string[]) : [];
  const path = "status.storedVersions";
  if (stored.length === 0) {
    return [...errors, invalidValue(path, status.storedVersions ?? null, "must have at least one stored version")];
  }
  const missing = new Set(stored);
  for (const { name, storage } of spec.versions) {
    // A repeated version counts as missing.
    if (storage && !missing.has(name)) {
      errors.push(invalidValue(path, stored, `must have the storage version ${name}`));
    }
    missing.delete(name);
  }
  for (const name of missing) {
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalidValue(at(path, stored.lastIndexOf(name)), name, detail));
  }
  return errors;
}

function validateSpec(spec: InternalSpec, options: Options): FieldError[] {
  const errors: FieldError[] = [];
  const { group, scope, versions } = spec;
  const groupRules = isDNS1123Subdomain(group);
  if (group === "") errors.push(required("spec.group", ""));
  else if (groupRules.length > 0) errors.push(invalidValue("spec.group", group, groupRules.join(",")));
  else if (!group.includes(".")) {
    errors.push(invalidValue("spec.group", group, "should be a domain with at least one dot"));
  }
  const scopes = ["Cluster", "Namespaced"];
  if (scope === "") errors.push(required("spec.scope", ""));
  else if (!scopes.includes(scope)) errors.push(notSupported("spec.scope", scope, scopes));
  const schemas = [schemaOf(spec.validation), ...versions.map((version) => schemaOf(version.schema))];
  const rules = { ...options.rules, requireStructural: options.rules.requireStructural || !spec.preserveUnknownFields };
  if (schemas[0] === undefined) errors.push(...missingSchemas(spec, rules));
  if (schemas.some(hasDefaults)) {
    rules.requireStructural = true;
    if (spec.preserveUnknownFields) {
      const detail = "must be false in order to use defaults in the schema";
      errors.push(invalidValue("spec.preserveUnknownFields", true, detail));
    }
  }
  if (schemas.some(hasExtensions)) rules.requireStructural = true;
  const specific: Options = { ...options, rules };
  errors.push(...validateVersions(spec, specific));
  for (const name of ["plural", "singular", "kind", "listKind"]) {
    if (textOf(spec.names[name]) === "") errors.push(required(`spec.names.${name}`, ""));
  }
  errors.push(...validateNames(spec.names, "spec.names"));
  const anyStatus = [spec.subresources, ...versions.map((version) => version.subresources)].some(hasStatus);
  const unchanged = options.unchangedSchemas.has(versions[0]?.name ?? "");
  errors.push(
    ...validateValidation(spec.validation, anyStatus, rules, "spec.validation", unchanged),
    ...validateSubresources(spec.subresources, "spec.subresources"),
    ...validateColumns(spec.additionalPrinterColumns, "spec.additionalPrinterColumns"),
  );
  if (spec.selectableFields !== undefined && spec.selectableFields.length > 0) {
    const schema = schemaOf(spec.validation);
    const limit = !options.tooManySelectable.has("");
    if (spec.validation === undefined) {
      const detail = "may only be set when validations.schema is included";
      errors.push(invalidValue("spec.selectableFields", "", detail));
    } else errors.push(...validateSelectableFields(spec.selectableFields, schema, "spec.selectableFields", limit));
  }
  const strategy = textOf(spec.conversion?.strategy);
  if (spec.conversion !== undefined && strategy !== "None" && spec.preserveUnknownFields) {
    const detail = "must be None if spec.preserveUnknownFields is true";
    errors.push(invalidValue("spec.conversion.strategy", strategy, detail));
  }
  const { requireKnownReviewVersion, allowInvalidCA } = options;
  errors.push(...validateConversion(spec.conversion, "spec.conversion", requireKnownReviewVersion, allowInvalidCA));
  return errors;
}

function missingSchemas(spec: InternalSpec, rules: ValidationRules): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, version] of spec.versions.entries()) {
    if (schemaOf(version.schema) !== undefined) continue;
    const field = `${at("spec.versions", index)}.schema.openAPIV3Schema`;
    if (rules.requireSchema) errors.push(required(field, ""));
    else if (!spec.preserveUnknownFields && version.served) {
      errors.push(required(field, "because otherwise all fields are pruned"));
    }
  }
  return errors;
}

function hasStatus(subresources: Json | undefined): boolean {
  return isObject(subresources) && isObject(subresources.status);
}

function validateVersions(spec: InternalSpec, options: Options): FieldError[] {
  const errors: FieldError[] = [];
  const { versions } = spec;
  const ownSubresources = versions.some((version) => isObject(version.subresources));
  for (const [index, version] of versions.entries()) {
    const path = at("spec.versions", index);
    const rules = isDNS1035Label(version.name);
    if (rules.length > 0) errors.push(invalidValue(child(path, "name"), version.name, rules.join(",")));
    const subresources = ownSubresources
      ? versions.find(({ name }) => name === version.name)?.subresources
      : spec.subresources;
    errors.push(...validateVersion(version, path, hasStatus(subresources), options));
  }
  const identical = (field: string) => {
    const first = versions[0]?.[field];
    const isPresent = (value: Json | undefined) => isObject(value) || (Array.isArray(value) && value.length > 0);
    return isPresent(first) && versions.every((version) => equalJson(version[field], first));
  };
  for (const [field, name, instead] of [
    ["schema", "schemas", "top-level validation"],
    ["subresources", "subresources", "top-level subresources"],
    ["additionalPrinterColumns", "additionalPrinterColumns", "top-level additionalPrinterColumns"],
  ] as const) {
    if (!identical(field)) continue;
    const detail = `per-version ${name} may not all be set to identical values (${instead} should be used instead)`;
    errors.push(invalidValue("spec.versions", shownVersions(versions), detail));
  }
  if (new Set(versions.map(({ name }) => name)).size !== versions.length) {
    errors.push(invalidValue("spec.versions", shownVersions(versions), "must contain unique version names"));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const detail = "must have exactly one version marked as storage version";
    errors.push(invalidValue("spec.versions", spec.hasVersions ? shownVersions(versions) : null, detail));
  }
  const first = versions[0]?.name ?? "";
  const firstRules = first === "" ? [] : isDNS1035Label(first);
  if (firstRules.length > 0) errors.push(invalidValue("spec.version", first, firstRules.join(",")));
  return errors;
}

function validateVersion(version: DefinitionVersion, path: string, status: boolean, options: Options): FieldError[] {
  const errors: FieldError[] = [];
  const warning = version.deprecationWarning;
  if (typeof warning === "string") {
    for (const rule of warningRules(version.deprecated === true, warning)) {
      errors.push(invalidValue(child(path, "deprecationWarning"), warning, rule));
    }
  }
  const unchanged = options.unchangedSchemas.has(version.name);
  errors.push(
    ...validateValidation(version.schema, status, options.rules, child(path, "schema"), unchanged),
    ...validateSubresources(version.subresources, child(path, "subresources")),
    ...validateColumns(version.additionalPrinterColumns, child(path, "additionalPrinterColumns")),
  );
  const fields = version.selectableFields;
  if (!Array.isArray(fields) || fields.length === 0) return errors;
  const schema = schemaOf(version.schema);
  const field = child(path, "selectableFields");
  if (schema === undefined) {
    const detail = "may only be set when `version.schema.openAPIV3Schema` is not included";
    return [...errors, invalidValue(field, "", detail)];
  }
  const limit = !options.tooManySelectable.has(version.name);
  return [...errors, ...validateSelectableFields(fields, schema, field, limit)];
}

function warningRules(deprecated: boolean, warning: string): string[] {
  if (!deprecated) return ["can only be set for deprecated versions"];
  const rules: string[] = [];
  if (Buffer.byteLength(warning) > 256) rules.push("must be <= 256 characters long");
  if (warning === "") rules.push("must not be an empty string");
  let position = 0;
  for (const char of warning) {
    if (!isPrintable(char)) {
      const rule = "must only contain printable UTF-8 characters; non-printable character found at index";
      rules.push(`${rule} ${position}`);
      break;
    }
    position += Buffer.byteLength(char);
  }
  return rules;
}

function validateNames(names: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["plural", "singular", "kind", "listKind"]) {
    const value = textOf(names[name]);
    const mixed = name === "kind" || name === "listKind";
    const rules = value === "" ? [] : isDNS1035Label(mixed ? value.toLowerCase() : value);
    const start = mixed ? "may have mixed case, but should otherwise match: " : "";
    if (rules.length > 0) errors.push(invalidValue(child(path, name), value, start + rules.join(",")));
  }
  const list = (name: string) => (Array.isArray(names[name]) ? (names[name] as Json[]) : []).map(textOf);
  const checkList = (name: string) => {
    for (const [index, value] of list(name).entries()) {
      const rules = isDNS1035Label(value);
      if (rules.length > 0) errors.push(invalidValue(at(child(path, name), index), value, rules.join(",")));
    }
  };
  checkList("shortNames");
  const kind = textOf(names.kind);
  if (kind !== "" && kind === names.listKind) {
    errors.push(invalidValue(child(path, "listKind"), kind, "kind and listKind may not be the same"));
  }
  checkList("categories");
  return errors;
}

/** Returns the names of versions in the order of discovery: stable ones first, then the newest. */
export function compareVersions(left: string, right: string): number {
  const parse = (name: string) => /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(name);
  const a = parse(left);
  const b = parse(right);
  if (a === null || b === null) {
    if (a !== null) return -1;
    return b !== null ? 1 : compareBytes(left, right);
  }
  const rank = (match: RegExpExecArray) => (match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0);
  return rank(b) - rank(a) || Number(b[1]) - Number(a[1]) || Number(b[3] ?? 0) - Number(a[3] ?? 0);
}
