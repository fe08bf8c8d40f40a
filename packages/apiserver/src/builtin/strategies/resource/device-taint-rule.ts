import { equalJson, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, isDNS1123Label, tooMany } from "@kubewright/cel/validation";
import { timestamp } from "../../../model/metadata.ts";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { driverNameErrors } from "../core/volume/volume-sources.ts";
import { conditionErrors } from "../fields/conditions.ts";
import { fieldsOf, invalidFor, isSet, objectsOf, textOf } from "../fields/fields.ts";
import { taintErrors } from "./device.ts";
import { poolNameErrors } from "./names.ts";

const maximumConditions = 8;

/** The rules of DeviceTaintRules. The time of a taint follows its effect. */
export const deviceTaintRule: Strategy = {
  prepareForCreate(object, { now }) {
    const taint = taintOf(object);
    if (!isSet(taint.timeAdded)) taint.timeAdded = timestamp(now);
  },
  prepareForUpdate(object, old, { subresource, now }) {
    if (subresource !== "") return;
    const [taint, before] = [taintOf(object), taintOf(old)];
    const isKept = equalJson(taint.timeAdded ?? null, before.timeAdded ?? null);
    if (!isSet(taint.timeAdded) || (isKept && taint.effect !== before.effect)) taint.timeAdded = timestamp(now);
  },
  validate: (object) => specErrors(object),
  validateUpdate(object, _old, { subresource }) {
    if (subresource !== "status") return specErrors(object);
    const conditions = objectsOf(fieldsOf(object.status).conditions);
    const path = "status.conditions";
    const isLong = conditions.length > maximumConditions;
    return [
      ...conditionErrors(conditions, path),
      ...(isLong ? [tooMany(path, conditions.length, maximumConditions)] : []),
    ];
  },
};

function taintOf(object: ApiObject): JsonObject {
  return fieldsOf(fieldsOf(object.spec).taint);
}

function specErrors(object: ApiObject): FieldError[] {
  const { deviceSelector } = fieldsOf(object.spec);
  const { driver, pool, device } = fieldsOf(deviceSelector);
  const path = "spec.deviceSelector";
  return [
    ...(isSet(driver) ? driverNameErrors(textOf(driver), `${path}.driver`) : []),
    ...(isSet(pool) ? poolNameErrors(textOf(pool), `${path}.pool`) : []),
    ...(isSet(device) ? invalidFor(`${path}.device`, device, isDNS1123Label(textOf(device))) : []),
    ...taintErrors(taintOf(object), "spec.taint"),
  ];
}
