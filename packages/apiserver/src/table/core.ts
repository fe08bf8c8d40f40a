import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  age,
  conditionOf,
  nameOf,
  numberAt,
  objectAt,
  objectsAt,
  since,
  sizeAt,
  textAt,
  textsAt,
  valueAt,
} from "./fields.ts";

export function configMapCells(map: JsonObject, now: number): Json[] {
  return [nameOf(map), sizeAt(map, "data") + sizeAt(map, "binaryData"), age(map, now)];
}

export function secretCells(secret: JsonObject, now: number): Json[] {
  return [nameOf(secret), textAt(secret, "type"), sizeAt(secret, "data"), age(secret, now)];
}

export function namespaceCells(namespace: JsonObject, now: number): Json[] {
  return [nameOf(namespace), textAt(namespace, "status", "phase"), age(namespace, now)];
}

/** Cells of kinds that have only a name and an age. */
export function nameAndAgeCells(object: JsonObject, now: number): Json[] {
  return [nameOf(object), age(object, now)];
}

export function componentStatusCells(component: JsonObject): Json[] {
  const healthy = conditionOf(objectsAt(component, "conditions"), "Healthy");
  const status = healthy === undefined ? "Unknown" : healthy.status === "True" ? "Healthy" : "Unhealthy";
  return [nameOf(component), status, textAt(healthy, "message"), textAt(healthy, "error")];
}

export function resourceQuotaCells(quota: JsonObject, now: number): Json[] {
  const hard = objectAt(quota, "status", "hard") ?? {};
  const cell = (ofLimits: boolean): string =>
    Object.keys(hard)
      .sort()
      .filter((resource) => resource.startsWith("limits.") === ofLimits)
      .map((resource) => `${resource}: ${textAt(quota, "status", "used", resource) || "0"}/${textAt(hard, resource)}`)
      .join(", ");
  return [nameOf(quota), cell(false), cell(true), age(quota, now)];
}

const rolePrefix = "node-role.kubernetes.io/";

export function nodeCells(node: JsonObject, now: number): Json[] {
  const info = objectAt(node, "status", "nodeInfo");
  const architecture = textAt(info, "architecture");
  const kernel = textAt(info, "kernelVersion") || "<unknown>";
  return [
    nameOf(node),
    nodeStatus(node),
    nodeRoles(objectAt(node, "metadata", "labels") ?? {}),
    age(node, now),
    textAt(info, "kubeletVersion"),
    nodeAddress(node, "InternalIP"),
    nodeAddress(node, "ExternalIP"),
    textAt(info, "osImage") || "<unknown>",
    architecture === "" ? kernel : `${kernel} (${architecture})`,
    textAt(info, "containerRuntimeVersion") || "<unknown>",
  ];
}

function nodeStatus(node: JsonObject): string {
  const ready = objectsAt(node, "status", "conditions").findLast((condition) => condition.type === "Ready");
  const status = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return valueAt(node, "spec", "unschedulable") === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(labels: JsonObject): string {
  const roles = new Set<string>();
  for (const key of Object.keys(labels)) {
    const role = key.startsWith(rolePrefix)
      ? key.slice(rolePrefix.length)
      : key === "kubernetes.io/role"
        ? textAt(labels, key)
        : "";
    if (role !== "") roles.add(role);
  }
  return [...roles].sort().join(",") || "<none>";
}

function nodeAddress(node: JsonObject, type: string): string {
  const entry = objectsAt(node, "status", "addresses").find((address) => address.type === type);
  return entry === undefined ? "<none>" : textAt(entry, "address");
}

/** Cells of an Event of either group. */
export function eventCells(event: JsonObject, now: number): Json[] {
  const read = (...keys: string[]): Json | undefined =>
    keys.map((key) => valueAt(event, key)).find((value) => value !== undefined);
  const first = since(read("firstTimestamp", "deprecatedFirstTimestamp") ?? read("eventTime"), now);
  const last = read("lastTimestamp", "deprecatedLastTimestamp");
  const series = objectAt(event, "series");
  const count = series === undefined ? Number(read("count", "deprecatedCount") ?? 0) || 1 : numberAt(series, "count");
  const about = read("involvedObject", "regarding");
  const source = read("source", "deprecatedSource");
  const kind = textAt(about, "kind").toLowerCase();
  const name = textAt(about, "name");
  const component = textAt(source, "component") || String(read("reportingComponent", "reportingController") ?? "");
  const instance = textAt(source, "host") || textAt(event, "reportingInstance");
  return [
    series !== undefined ? since(series.lastObservedTime, now) : last === undefined ? first : since(last, now),
    textAt(event, "type"),
    textAt(event, "reason"),
    name === "" ? kind : `${kind}/${name}`,
    textAt(about, "fieldPath"),
    instance === "" ? component : `${component}, ${instance}`,
    String(read("message", "note") ?? "").trim(),
    first,
    count,
    nameOf(event),
  ];
}

const accessModes: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

function accessModesCell(modes: readonly string[]): string {
  return accessModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(",");
}

/** The class of a volume: an annotation of old objects comes first. */
function storageClass(object: JsonObject): string {
  const annotation = valueAt(object, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
  return typeof annotation === "string" ? annotation : textAt(object, "spec", "storageClassName");
}

function phaseOf(object: JsonObject): string {
  return valueAt(object, "metadata", "deletionTimestamp") === undefined
    ? textAt(object, "status", "phase")
    : "Terminating";
}

export function persistentVolumeCells(volume: JsonObject, now: number): Json[] {
  const spec = objectAt(volume, "spec");
  const claim = objectAt(spec, "claimRef");
  return [
    nameOf(volume),
    textAt(spec, "capacity", "storage") || "0",
    accessModesCell(textsAt(spec, "accessModes")),
    textAt(spec, "persistentVolumeReclaimPolicy"),
    phaseOf(volume),
    claim === undefined ? "" : `${textAt(claim, "namespace")}/${textAt(claim, "name")}`,
    storageClass(volume),
    valueAt(spec, "volumeAttributesClassName") ?? "<unset>",
    textAt(volume, "status", "reason"),
    age(volume, now),
    valueAt(spec, "volumeMode") ?? "<unset>",
  ];
}

export function persistentVolumeClaimCells(claim: JsonObject, now: number): Json[] {
  const spec = objectAt(claim, "spec");
  const status = objectAt(claim, "status");
  const volume = textAt(spec, "volumeName");
  return [
    nameOf(claim),
    phaseOf(claim),
    volume,
    volume === "" ? "" : textAt(status, "capacity", "storage") || "0",
    volume === "" ? "" : accessModesCell(textsAt(status, "accessModes")),
    storageClass(claim),
    valueAt(spec, "volumeAttributesClassName") ?? "<unset>",
    age(claim, now),
    valueAt(spec, "volumeMode") ?? "<unset>",
  ];
}
