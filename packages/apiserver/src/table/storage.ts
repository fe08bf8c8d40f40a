import type { Json, JsonObject } from "@kubewright/cel/json";
import { age, nameOf, numberAt, objectAt, objectsAt, since, textAt, textsAt, valueAt } from "./fields.ts";

/** Cells of a StorageClass. In a list, the newest of the default classes is marked, as it is the one that counts. */
export function storageClassCells(storageClass: JsonObject, now: number, all: readonly JsonObject[]): Json[] {
  const isDefault = all.length > 1 && nameOf(storageClass) === defaultClass(all);
  return [
    `${nameOf(storageClass)}${isDefault ? " (default)" : ""}`,
    textAt(storageClass, "provisioner"),
    valueAt(storageClass, "reclaimPolicy") ?? "Delete",
    valueAt(storageClass, "volumeBindingMode") ?? "Immediate",
    valueAt(storageClass, "allowVolumeExpansion") === true,
    age(storageClass, now),
  ];
}

const defaultAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

function defaultClass(classes: readonly JsonObject[]): string | undefined {
  const created = (one: JsonObject): number => Date.parse(textAt(one, "metadata", "creationTimestamp"));
  const [first] = classes
    .filter((one) => defaultAnnotations.some((key) => textAt(one, "metadata", "annotations", key) === "true"))
    .sort((a, b) => created(b) - created(a) || (nameOf(a) < nameOf(b) ? -1 : 1));
  return first === undefined ? undefined : nameOf(first);
}

export function volumeAttributesClassCells(attributesClass: JsonObject, now: number): Json[] {
  return [nameOf(attributesClass), textAt(attributesClass, "driverName"), age(attributesClass, now)];
}

export function volumeAttachmentCells(attachment: JsonObject, now: number): Json[] {
  const spec = objectAt(attachment, "spec");
  return [
    nameOf(attachment),
    textAt(spec, "attacher"),
    textAt(spec, "source", "persistentVolumeName"),
    textAt(spec, "nodeName"),
    valueAt(attachment, "status", "attached") === true,
    age(attachment, now),
  ];
}

export function csiNodeCells(node: JsonObject, now: number): Json[] {
  return [nameOf(node), objectsAt(node, "spec", "drivers").length, age(node, now)];
}

export function csiDriverCells(driver: JsonObject, now: number): Json[] {
  const spec = objectAt(driver, "spec");
  const requests = valueAt(spec, "tokenRequests");
  return [
    nameOf(driver),
    valueAt(spec, "attachRequired") !== false,
    valueAt(spec, "podInfoOnMount") === true,
    valueAt(spec, "storageCapacity") === true,
    requests === undefined
      ? "<unset>"
      : objectsAt(spec, "tokenRequests")
          .map((request) => textAt(request, "audience"))
          .join(","),
    valueAt(spec, "requiresRepublish") === true,
    textsAt(spec, "volumeLifecycleModes").join(",") || "<none>",
    age(driver, now),
  ];
}

export function priorityClassCells(priorityClass: JsonObject, now: number): Json[] {
  return [
    nameOf(priorityClass),
    numberAt(priorityClass, "value"),
    valueAt(priorityClass, "globalDefault") === true,
    age(priorityClass, now),
    textAt(priorityClass, "preemptionPolicy"),
  ];
}

export function runtimeClassCells(runtimeClass: JsonObject, now: number): Json[] {
  return [nameOf(runtimeClass), textAt(runtimeClass, "handler"), age(runtimeClass, now)];
}

export function deviceTaintRuleCells(rule: JsonObject, now: number): Json[] {
  const taint = objectAt(rule, "spec", "taint");
  const timeAdded = valueAt(taint, "timeAdded");
  return [
    nameOf(rule),
    textAt(taint, "key"),
    textAt(taint, "value"),
    textAt(taint, "effect"),
    timeAdded === undefined ? "" : since(timeAdded, now),
    age(rule, now),
  ];
}

export function resourceClaimCells(claim: JsonObject, now: number): Json[] {
  const isDeleted = valueAt(claim, "metadata", "deletionTimestamp") !== undefined;
  const isAllocated = objectAt(claim, "status", "allocation") !== undefined;
  const states = [
    ...(isDeleted ? ["deleted"] : []),
    ...(isAllocated ? ["allocated"] : isDeleted ? [] : ["pending"]),
    ...(isAllocated && objectsAt(claim, "status", "reservedFor").length > 0 ? ["reserved"] : []),
  ];
  return [nameOf(claim), states.join(","), age(claim, now)];
}

export function resourceSliceCells(slice: JsonObject, now: number): Json[] {
  const spec = objectAt(slice, "spec");
  return [
    nameOf(slice),
    textAt(spec, "nodeName"),
    textAt(spec, "driver"),
    textAt(spec, "pool", "name"),
    age(slice, now),
  ];
}

export function storageVersionMigrationCells(migration: JsonObject): Json[] {
  const states = objectsAt(migration, "status", "conditions")
    .filter((condition) => textAt(condition, "status") === "True")
    .map((condition) => textAt(condition, "type"))
    .filter((type) => ["Running", "Failed", "Succeeded"].includes(type));
  const resource = [textAt(migration, "spec", "resource", "resource"), textAt(migration, "spec", "resource", "group")];
  return [nameOf(migration), resource.filter((part) => part !== "").join("."), states.at(-1) ?? "Unknown"];
}
