import { equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1123Subdomain,
  nameIsDNSLabel,
  required,
} from "@kubewright/cel/validation";
import { validateLabelSelector } from "../../../../validation/label-selector.ts";
import { fieldsOf, invalidFor, isSet, optionalName, optionalOneOf, textOf, textsOf } from "../../fields/fields.ts";
import { fractionWarnings, positiveQuantity } from "../../fields/quantities.ts";
import { resourceQuantityErrors } from "../resource-names.ts";
import { accessModeErrors } from "./access-modes.ts";

const claimKind = "PersistentVolumeClaim";

/** The modes of volumes. */
export const volumeModes: readonly string[] = ["Block", "Filesystem"];

function sourceErrors(source: JsonObject, path: string, keepsGroup: boolean): FieldError[] {
  const [name, kind, group] = [textOf(source.name), textOf(source.kind), textOf(source.apiGroup)];
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(`${path}.name`, ""));
  if (kind === "") errors.push(required(`${path}.kind`, ""));
  if (group === "" && kind !== claimKind) {
    errors.push(invalidValue(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (group !== "" && !keepsGroup) errors.push(...invalidFor(`${path}.apiGroup`, group, isDNS1123Subdomain(group)));
  const namespace = textOf(source.namespace);
  if (namespace !== "") errors.push(...invalidFor(`${path}.namespace`, namespace, nameIsDNSLabel(namespace, false)));
  return errors;
}

function sourcesErrors(spec: JsonObject, path: string, keepsGroup: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ["dataSource", "dataSourceRef"]) {
    if (isSet(spec[key])) errors.push(...sourceErrors(fieldsOf(spec[key]), `${path}.${key}`, keepsGroup));
  }
  const [source, reference] = [fieldsOf(spec.dataSource), fieldsOf(spec.dataSourceRef)];
  if (!isSet(spec.dataSource) || !isSet(spec.dataSourceRef)) return errors;
  // The server shows the path of the field as a struct without public fields.
  if (textOf(reference.namespace) !== "") {
    errors.push(invalidValue(path, {}, "may not be specified when dataSourceRef.namespace is specified"));
  } else if (["apiGroup", "kind", "name"].some((key) => !equalJson(source[key] ?? null, reference[key] ?? null))) {
    errors.push(invalidValue(path, {}, "must match dataSourceRef"));
  }
  return errors;
}

/**
 * Checks the specification of a PersistentVolumeClaim.
 *
 * @param spec - the specification
 * @param path - its path
 * @param keepsGroup - true to accept any API group of a data source, because the claim had one before
 * @returns the errors
 */
export function claimSpecErrors(spec: JsonObject, path: string, keepsGroup = false): FieldError[] {
  const errors: FieldError[] = [];
  if (textsOf(spec.accessModes).length === 0) {
    errors.push(required(`${path}.accessModes`, "at least 1 access mode is required"));
  }
  errors.push(...validateLabelSelector(spec.selector, `${path}.selector`));
  errors.push(...accessModeErrors(spec.accessModes, `${path}.accessModes`));
  const storage = fieldsOf(fieldsOf(spec.resources).requests).storage;
  const at = `${path}.resources[storage]`;
  if (storage === undefined) errors.push(required(at, ""));
  else {
    const notPositive = positiveQuantity(storage, at);
    errors.push(...(notPositive.length > 0 ? notPositive : resourceQuantityErrors("storage", storage, at)));
  }
  errors.push(...optionalName(spec.storageClassName, `${path}.storageClassName`, isDNS1123Subdomain));
  errors.push(...optionalOneOf(spec.volumeMode, `${path}.volumeMode`, volumeModes));
  errors.push(...sourcesErrors(spec, path, keepsGroup));
  const attributes = `${path}.volumeAttributesClassName`;
  return [...errors, ...optionalName(spec.volumeAttributesClassName, attributes, isDNS1123Subdomain)];
}

/** Finds the warnings for the specification of a PersistentVolumeClaim. */
export function claimSpecWarnings(spec: JsonObject, path: string): string[] {
  const resources = fieldsOf(spec.resources);
  return ["requests", "limits"].flatMap((key) =>
    fractionWarnings(fieldsOf(resources[key]).storage, `${path}.resources.${key}[storage]`),
  );
}

/** A data source that older versions supported. */
function isOldSource(value: Json | undefined): boolean {
  const { apiGroup, kind } = fieldsOf(value);
  const group = textOf(apiGroup);
  return (kind === claimKind && group === "") || (kind === "VolumeSnapshot" && group === "snapshot.storage.k8s.io");
}

/**
 * Brings the two fields for the source of a claim's data in line: the older one holds only sources that older versions
 * supported, and the server drops sources of other namespaces.
 *
 * @param spec - the specification
 * @param before - the specification before an update
 */
export function setDataSources(spec: JsonObject, before: JsonObject = {}): void {
  const hadReference = isSet(before.dataSourceRef);
  if (textOf(fieldsOf(spec.dataSourceRef).namespace) !== "" && !hadReference) delete spec.dataSourceRef;
  const hadSource = hadReference || isSet(before.dataSource);
  if (!hadSource && !isSet(spec.dataSourceRef) && !isOldSource(spec.dataSource)) delete spec.dataSource;
  const [source, reference] = [spec.dataSource, spec.dataSourceRef];
  if (isSet(source) && !isSet(reference)) spec.dataSourceRef = { ...fieldsOf(source) };
  else if (!isSet(source) && isSet(reference) && textOf(fieldsOf(reference).namespace) === "") {
    const { namespace: _namespace, ...own } = fieldsOf(reference);
    spec.dataSource = own;
  }
}
