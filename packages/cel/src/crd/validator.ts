import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { cloneJson } from "../json/values.ts";
import { applyDefaults } from "../schema/defaults.ts";
import { type FieldError, type FieldErrorType, fieldErrorMessage } from "../validation/field-error.ts";
import { notSupported } from "../validation/paths.ts";
import {
  type CustomResourceVersion,
  coerceCustomResource,
  customResourceWarnings,
  validateCustomResource,
  validateCustomResourceUpdate,
} from "./custom-resource.ts";
import { customVersion } from "./custom-version.ts";
import { internalSpec, textOf } from "./internal-form.ts";
import { InvalidDefinitionError } from "./invalid-definition-error.ts";
import { validateValidation } from "./validate-validation.ts";

/** Options of {@link createValidator}. */
export interface ValidatorOptions {
  /**
   * The namespace of objects that don't contain one, if their kind is namespaced.
   *
   * @defaultValue `"default"`
   */
  namespace?: string | undefined;
}

/** An error of an object. */
export interface ValidationError {
  /** Path of the field, such as `spec.ports[0].name`; empty for the object itself. */
  field: string;
  /** The type of the error in the Status of kube-apiserver; `BadRequest` if the object can't be decoded. */
  type: FieldErrorType | "BadRequest";
  /** The text of kube-apiserver, such as `spec.replicas: Invalid value: 11: should be less than or equal to 10`. */
  message: string;
}

/** The result of a {@link Validator}. */
export interface ValidationResult {
  /** A copy of the object as it would be stored: without unknown fields, and with defaults. */
  object: JsonObject;
  /** The errors, first those of metadata and of the schema; empty for a valid object. */
  errors: ValidationError[];
  /** Paths of the fields that the schema doesn't contain, such as `spec.replica`. */
  unknownFields: string[];
  /** Warnings that kube-apiserver sends with its response, such as errors of rules about fields that an update doesn't change. */
  warnings: string[];
}

/**
 * Validates an object.
 *
 * @param object - the object, as JSON; it isn't changed
 * @param old - its state before an update. Without it, the object is validated as a new one.
 * @returns the object as it would be stored, and its errors
 */
export type Validator = (object: object, old?: object) => ValidationResult;

/** The rules for new definitions. */
const rules = {
  requireStructural: true,
  requirePrunedDefaults: true,
  requireSchema: true,
  requireValidType: true,
  requireAtomicSets: true,
  requireMapKeys: true,
};

/**
 * Creates a function that validates objects of a CustomResourceDefinition as kube-apiserver does: it removes unknown fields, sets
 * defaults, and checks metadata, the schema, formats, list types and CEL rules. The status is validated, too, although create
 * requests ignore it if it is a subresource.
 *
 * @param definition - the CustomResourceDefinition of `apiextensions.k8s.io/v1`, as JSON
 * @param options - see {@link ValidatorOptions}
 * @returns the function, for all served versions of the definition. It compiles the CEL rules of a version once.
 * @throws InvalidDefinitionError if kube-apiserver would reject a schema of the definition
 *
 * @example
 * const validate = createValidator(definition);
 * const { object, errors } = validate({ apiVersion: "example.com/v1", kind: "Game", metadata: { name: "chess" }, spec: {} });
 * for (const { message } of errors) console.error(message);
 */
export function createValidator(definition: object, options: ValidatorOptions = {}): Validator {
  const models = modelsOf(definition as JsonObject);
  const namespace = options.namespace ?? "default";
  return (object, old) => {
    const warnings: string[] = [];
    const apiVersion = (object as JsonObject).apiVersion;
    const named = models.find((model) => apiVersionOf(model) === apiVersion);
    const model = named ?? (models[0] as CustomResourceVersion);
    const decoded = decode(model, object as JsonObject, namespace);
    const result = { object: decoded.object, unknownFields: decoded.unknown, warnings };
    if (decoded.problem !== undefined) {
      return { ...result, errors: [{ field: "", type: "BadRequest", message: decoded.problem }] };
    }
    if (named === undefined) {
      return { ...result, errors: [shown(notSupported("apiVersion", apiVersion ?? "", models.map(apiVersionOf)))] };
    }
    const before = old === undefined ? undefined : decode(model, old as JsonObject, namespace, true).object;
    const errors =
      before === undefined
        ? validateCustomResource(model, withName(decoded.object))
        : validateCustomResourceUpdate(model, withIdentity(decoded.object, before), before, (text) =>
            warnings.push(text),
          );
    warnings.push(...customResourceWarnings(decoded.object, before));
    return { ...result, errors: errors.map(shown) };
  };
}

function shown(error: FieldError): ValidationError {
  return { field: error.field, type: error.type, message: fieldErrorMessage(error) };
}

function apiVersionOf({ group, version }: CustomResourceVersion): string {
  return `${group}/${version}`;
}

/** Returns the rules of the served versions. */
function modelsOf(definition: JsonObject): CustomResourceVersion[] {
  const { apiVersion, kind, spec } = definition;
  if (kind !== "CustomResourceDefinition" || apiVersion !== "apiextensions.k8s.io/v1" || !isObject(spec)) {
    const given = `apiVersion ${JSON.stringify(apiVersion)} and kind ${JSON.stringify(kind)}`;
    throw new InvalidDefinitionError(definition, [
      `expected apiextensions.k8s.io/v1, CustomResourceDefinition with a spec, got ${given}`,
    ]);
  }
  const errors = definitionErrors(spec);
  if (errors.length > 0) throw new InvalidDefinitionError(definition, errors.map(fieldErrorMessage));
  const versions = (spec.versions as JsonObject[]).filter((version) => version.served === true);
  if (versions.length === 0) throw new InvalidDefinitionError(definition, ["spec.versions: no version is served"]);
  const names = isObject(spec.names) ? spec.names : {};
  return versions.map((version) => customVersion(textOf(spec.group), textOf(names.kind), spec, version));
}

function definitionErrors(spec: JsonObject): FieldError[] {
  const { versions, validation, subresources, preserveUnknownFields } = internalSpec(spec);
  const hasStatus = (value: Json | undefined) => isObject(value) && isObject(value.status);
  const checks = { ...rules, requireStructural: !preserveUnknownFields };
  const check = (schema: Json | undefined, status: boolean, path: string) =>
    validateValidation(schema, status, checks, path, false);
  return [
    ...versions.flatMap((version, index) =>
      check(version.schema, hasStatus(version.subresources ?? subresources), `spec.versions[${index}].schema`),
    ),
    ...check(
      validation,
      [subresources, ...versions.map((version) => version.subresources)].some(hasStatus),
      "spec.validation",
    ),
  ];
}

interface DecodedObject {
  object: JsonObject;
  unknown: string[];
  problem?: string;
}

function decode(model: CustomResourceVersion, given: JsonObject, namespace: string, stored = false): DecodedObject {
  const object = cloneJson(given);
  try {
    const unknown = coerceCustomResource(model, object, { stored });
    applyDefaults(object, model.schema);
    if (!isObject(object.metadata)) object.metadata = {};
    if (model.namespaced) object.metadata.namespace ??= namespace;
    return { object, unknown };
  } catch (error) {
    return { object, unknown: [], problem: (error as Error).message };
  }
}

/** Returns the object with a name, which the server generates before it validates. */
function withName(object: JsonObject): JsonObject {
  const { name = "", generateName = "" } = object.metadata as { name?: string; generateName?: string };
  if (name !== "" || generateName === "") return object;
  return { ...object, metadata: { ...(object.metadata as JsonObject), name: `${generateName.slice(0, 58)}xxxxx` } };
}

/** Fields that the server takes from the stored object. */
const identity = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
];

/** Returns the object with the fields that an update can't change, so that manifests can be compared, too. */
function withIdentity(object: JsonObject, old: JsonObject): JsonObject {
  const metadata: JsonObject = { ...(object.metadata as JsonObject) };
  const before = old.metadata as JsonObject;
  for (const field of identity) {
    const value = metadata[field] ?? before[field];
    if (value !== undefined) metadata[field] = value;
  }
  metadata.resourceVersion ??= "1";
  return { ...object, metadata };
}
