import type { JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, required } from "@kubewright/cel/validation";
import { timestamp } from "../../../model/metadata.ts";
import type { ApiObject, Strategy, StrategyContext } from "../../../model/resource.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { driverNameErrors } from "../core/volume/volume-sources.ts";
import { fieldsOf, immutable, isSet, numberOf, objectsOf, textOf } from "../fields/fields.ts";
import {
  counterSetErrors,
  dropDisabledDeviceFields,
  nodeFieldErrors,
  sliceDeviceErrors,
  usesAdvancedFields,
} from "./device.ts";
import { repeatedErrors, setErrors } from "./lists.ts";
import { poolNameErrors } from "./names.ts";

const maximumDevices = 128;
const maximumAdvancedDevices = 64;
const maximumCounterSets = 8;

/** Drops fields that the server doesn't support, and adds the times of taints. */
function prepare(slice: ApiObject, { now }: StrategyContext): void {
  const spec = fieldsOf(slice.spec);
  delete spec.partitionTypeAttribute;
  delete spec.skipNodeOperations;
  for (const device of objectsOf(spec.devices)) {
    dropDisabledDeviceFields(device);
    for (const taint of objectsOf(device.taints)) if (!isSet(taint.timeAdded)) taint.timeAdded = timestamp(now);
  }
}

/** The rules of ResourceSlices, whose driver, node and pool can't change. */
export const resourceSlice: Strategy = {
  prepareForCreate: prepare,
  prepareForUpdate: (object, _old, context) => prepare(object, context),
  validate: (object) => sliceErrors(fieldsOf(object.spec), []),
  validateUpdate: (object, old) => {
    const [spec, before] = [fieldsOf(object.spec), fieldsOf(old.spec)];
    return sliceErrors(spec, [
      ...immutable(textOf(fieldsOf(spec.pool).name), textOf(fieldsOf(before.pool).name), "spec.pool.name"),
      ...immutable(textOf(spec.driver), textOf(before.driver), "spec.driver"),
      ...immutable(spec.nodeName, before.nodeName, "spec.nodeName"),
    ]);
  },
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
};

function sliceErrors(spec: JsonObject, changes: readonly FieldError[]): FieldError[] {
  const devices = objectsOf(spec.devices);
  const limit = usesAdvancedFields(devices) ? maximumAdvancedDevices : maximumDevices;
  const both = isSet(spec.sharedCounters) && isSet(spec.devices);
  return [
    ...driverNameErrors(spec.driver, "spec.driver"),
    ...poolErrors(fieldsOf(spec.pool), "spec.pool"),
    ...changes,
    ...nodeErrors(spec),
    ...(both ? [invalidValue("spec", "", "only one of `sharedCounters` or `devices` is allowed")] : []),
    ...setErrors(
      spec.devices,
      "name",
      "spec.devices",
      limit,
      (device, path) => sliceDeviceErrors(device, path, spec.perDeviceNodeSelection === true),
      (items, key, path) =>
        repeatedErrors(
          items.map((item) => textOf(item[key])),
          path,
        ),
    ),
    ...setErrors(spec.sharedCounters, "name", "spec.sharedCounters", maximumCounterSets, (set, path) =>
      counterSetErrors(set, "name", path),
    ),
  ];
}

function poolErrors(pool: JsonObject, path: string): FieldError[] {
  const [count, generation] = [numberOf(pool.resourceSliceCount), numberOf(pool.generation)];
  const negative = "must be greater than or equal to zero";
  return [
    ...poolNameErrors(textOf(pool.name), `${path}.name`),
    ...(count > 0 ? [] : [invalidValue(`${path}.resourceSliceCount`, count, "must be greater than zero")]),
    ...(generation < 0 ? [invalidValue(`${path}.generation`, generation, negative)] : []),
  ];
}

function nodeErrors(spec: JsonObject): FieldError[] {
  const { errors, fields } = nodeFieldErrors(
    spec,
    "spec",
    "must be either unset or set to a non-empty string",
    singleTermErrors,
  );
  const detail = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  if (fields.length === 0) return [...errors, required("spec", detail)];
  if (fields.length === 1) return errors;
  return [...errors, invalidValue("spec", `{${fields.join(", ")}}`, `${detail}, but multiple fields are set`)];
}

/** Slices have selectors with one term, because others don't merge. */
function singleTermErrors({ nodeSelectorTerms: terms }: JsonObject, path: string): FieldError[] {
  if (objectsOf(terms).length === 1) return [];
  const isEmpty = Array.isArray(terms) && terms.length === 0;
  const shown = isEmpty ? [] : internalForm("[]core.NodeSelectorTerm", terms);
  return [invalidValue(`${path}.nodeSelectorTerms`, shown, "must have exactly one node selector term")];
}

function warnings(object: ApiObject): string[] {
  const driver = textOf(fieldsOf(object.spec).driver);
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`];
}
