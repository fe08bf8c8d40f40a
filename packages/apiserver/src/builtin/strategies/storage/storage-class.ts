import { equalJson, type Json } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isQualifiedName,
  required,
  tooLong,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { deprecatedNodeLabel } from "../core/node/node-labels.ts";
import {
  declaredImmutable,
  duplicates,
  fieldsOf,
  invalidFor,
  isSet,
  objectsOf,
  oneOf,
  requiredText,
  textOf,
  textsOf,
} from "../fields/fields.ts";

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** Checks a provisioner or driver, whose letters may be upper case. */
function provisionerErrors(value: Json | undefined, path: string): FieldError[] {
  return requiredText(textOf(value).toLowerCase(), path, isQualifiedName);
}

function parameterErrors(value: Json | undefined, mayBeEmpty: boolean): FieldError[] {
  const parameters = fieldsOf(value);
  const keys = Object.keys(parameters);
  const errors: FieldError[] = [];
  if (keys.length > maxParameters) {
    errors.push(tooLong("Provisioner Parameters exceeded max allowed", maxParameters));
  }
  if (keys.includes("")) errors.push(invalidValue("parameters", "", "field can not be empty."));
  let size = 0;
  for (const key of keys) size += Buffer.byteLength(key) + Buffer.byteLength(textOf(parameters[key]));
  if (size > maxParameterBytes) errors.push(tooLong("parameters", maxParameterBytes));
  if (!mayBeEmpty && keys.length === 0) {
    errors.push(required("parameters", "must contain at least one key/value pair"));
  }
  return errors;
}

function topologyErrors(value: Json | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const terms = objectsOf(value);
  // The real server compares with as many empty terms as there are terms.
  const seen: Record<string, string[]>[] = terms.map(() => ({}));
  for (const [index, term] of terms.entries()) {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const valuesByKey: Record<string, string[]> = {};
    for (const [place, expression] of objectsOf(term.matchLabelExpressions).entries()) {
      const at = `${path}[${place}]`;
      const key = textOf(expression.key);
      const values = textsOf(expression.values);
      if (values.length === 0) errors.push(required(`${at}.values`, ""));
      errors.push(...duplicates(values, (which) => `${at}.values[${which}]`));
      errors.push(...invalidFor(`${at}.key`, key, isQualifiedName(key)));
      if (Object.hasOwn(valuesByKey, key)) errors.push(duplicateValue(`${at}.key`, key));
      valuesByKey[key] = [...new Set(values)].sort();
    }
    errors.push(...seen.filter((one) => equalJson(one, valuesByKey)).map(() => duplicateValue(path, "")));
    seen.push(valuesByKey);
  }
  return errors;
}

function storageClassErrors(object: ApiObject): FieldError[] {
  return [
    ...provisionerErrors(object.provisioner, "provisioner"),
    ...parameterErrors(object.parameters, true),
    ...(object.reclaimPolicy === "" ? [] : oneOf(object.reclaimPolicy, "reclaimPolicy", ["Delete", "Retain"])),
    ...(isSet(object.volumeBindingMode)
      ? oneOf(object.volumeBindingMode, "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"])
      : [required("volumeBindingMode", "")]),
    ...topologyErrors(object.allowedTopologies),
  ];
}

function storageClassWarnings(object: ApiObject): string[] {
  return objectsOf(object.allowedTopologies).flatMap((term, index) =>
    objectsOf(term.matchLabelExpressions).flatMap(({ key }, place) => {
      const warning = deprecatedNodeLabel(textOf(key));
      return warning === undefined
        ? []
        : [`allowedTopologies[${index}].matchLabelExpressions[${place}].key: ${warning}`];
    }),
  );
}

/** The rules of StorageClasses: only the mount options and the expansion of volumes can change. */
export const storageClass: Strategy = {
  validate: storageClassErrors,
  validateUpdate: (object, old) => [
    ...storageClassErrors(object),
    ...declaredImmutable(object.parameters, old.parameters, "parameters"),
    ...declaredImmutable(textOf(object.provisioner), textOf(old.provisioner), "provisioner"),
    ...declaredImmutable(object.reclaimPolicy, old.reclaimPolicy, "reclaimPolicy"),
    ...declaredImmutable(object.volumeBindingMode, old.volumeBindingMode, "volumeBindingMode"),
  ],
  warningsOnCreate: storageClassWarnings,
  warningsOnUpdate: storageClassWarnings,
};

function attributesClassErrors(object: ApiObject): FieldError[] {
  return [...provisionerErrors(object.driverName, "driverName"), ...parameterErrors(object.parameters, false)];
}

/** The rules of VolumeAttributesClasses, which can't change. */
export const volumeAttributesClass: Strategy = {
  validate: attributesClassErrors,
  validateUpdate: (object, old) => [
    ...["driverName", "parameters"].flatMap((field) =>
      equalJson(object[field] ?? null, old[field] ?? null)
        ? []
        : [forbiddenValue(field, `updates to ${field} are forbidden.`)],
    ),
    ...attributesClassErrors(object),
  ],
};
