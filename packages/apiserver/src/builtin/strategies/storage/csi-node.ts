import { byteLength, equalJson, type JsonObject } from "@kubewright/cel/json";
import { duplicateValue, type FieldError, invalidValue, isQualifiedName, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { driverNameErrors } from "../core/volume/volume-sources.ts";
import { fieldsOf, invalidFor, nonNegative, objectsOf, textOf, textsOf } from "../fields/fields.ts";

const longestNodeID = 256;

/** The rules of CSINodes: of a driver, only the number of volumes can change. */
export const csiNode: Strategy = {
  prepareForUpdate(object, _old, { subresource }) {
    // The health of storage belongs to a feature that is off.
    if (subresource === "status") delete fieldsOf(object.status).storageHealth;
  },
  validate: nodeErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? [] : [...nodeErrors(object), ...changeErrors(driversOf(object), driversOf(old))],
};

function driversOf(object: ApiObject): JsonObject[] {
  return objectsOf(fieldsOf(object.spec).drivers);
}

function nodeErrors(object: ApiObject): FieldError[] {
  const names = new Set<string>();
  return driversOf(object).flatMap((driver, index) => {
    const path = `spec.drivers[${index}]`;
    const [name, nodeID] = [textOf(driver.name), textOf(driver.nodeID)];
    const errors = driverNameErrors(name, `${path}.name`);
    if (nodeID === "") errors.push(required(`${path}.nodeID`, ""));
    if (byteLength(nodeID) > longestNodeID) {
      errors.push(invalidValue(`${path}.nodeID`, nodeID, `must be ${longestNodeID} characters or less`));
    }
    errors.push(...nonNegative(fieldsOf(driver.allocatable).count, `${path}.allocatable.count`));
    if (names.has(name)) errors.push(duplicateValue(`${path}.name`, name));
    names.add(name);
    return [...errors, ...topologyErrors(textsOf(driver.topologyKeys), path)];
  });
}

function topologyErrors(keys: readonly string[], path: string): FieldError[] {
  return keys.flatMap((key, index) => [
    ...(key === "" ? [required(path, "")] : []),
    ...(keys.indexOf(key) < index ? [duplicateValue(path, key)] : []),
    ...invalidFor(path, key, isQualifiedName(key)),
  ]);
}

function changeErrors(drivers: readonly JsonObject[], before: readonly JsonObject[]): FieldError[] {
  const fixed = ({ allocatable: _allocatable, ...rest }: JsonObject): JsonObject => rest;
  return before.flatMap((old) =>
    drivers
      .filter((driver) => driver.name === old.name && !equalJson(fixed(driver), fixed(old)))
      .map((driver) =>
        invalidValue("spec.drivers", internalForm("storage.CSINodeDriver", fixed(driver)), "field is immutable"),
      ),
  );
}
