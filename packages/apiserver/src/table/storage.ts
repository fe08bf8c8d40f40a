import type { Json, JsonObject } from "@kubewright/cel/json";
import { age, nameOf, numberAt, objectAt, objectsAt, textAt, textsAt, valueAt } from "./fields.ts";

export function storageClassCells(storageClass: JsonObject, now: number): Json[] {
  const annotations = objectAt(storageClass, "metadata", "annotations");
  const isDefault = [
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
  ].some((key) => textAt(annotations, key) === "true");
  return [
    `${nameOf(storageClass)}${isDefault ? " (default)" : ""}`,
    textAt(storageClass, "provisioner"),
    valueAt(storageClass, "reclaimPolicy") ?? "Delete",
    valueAt(storageClass, "volumeBindingMode") ?? "Immediate",
    valueAt(storageClass, "allowVolumeExpansion") === true,
    age(storageClass, now),
  ];
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
