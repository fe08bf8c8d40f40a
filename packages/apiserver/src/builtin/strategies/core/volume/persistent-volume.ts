import { posix } from "node:path";
import { equalJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Subdomain,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import { timestamp } from "../../../../model/metadata.ts";
import type { ApiObject, Strategy } from "../../../../model/resource.ts";
import { internalForm } from "../../../codec/internal-form.ts";
import { changes } from "../../fields/changes.ts";
import {
  fieldsOf,
  immutable,
  isSet,
  objectsOf,
  optionalName,
  optionalOneOf,
  sortedKeys,
  textOf,
  textsOf,
} from "../../fields/fields.ts";
import { positiveQuantity, quantityValue } from "../../fields/quantities.ts";
import { nodeTermWarnings } from "../node/node-labels.ts";
import { nodeSelectorErrors } from "../node/scheduling.ts";
import { accessModeErrors } from "./access-modes.ts";
import { volumeModes } from "./claim-spec.ts";
import { isPersistentSource, persistentSourceErrors } from "./persistent-sources.ts";

const mountOptions = "volume.beta.kubernetes.io/mount-options";
const withMountOptions = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cephfs",
  "cinder",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "storageos",
  "csi",
];

function capacityErrors(spec: JsonObject): FieldError[] {
  const capacity = fieldsOf(spec.capacity);
  const names = sortedKeys(capacity);
  const path = "spec.capacity";
  const errors: FieldError[] = names.length === 0 ? [required(path, "")] : [];
  if (capacity.storage === undefined || names.length > 1) {
    const shown = Object.fromEntries(names.map((name) => [name, capacity[name] ?? ""]));
    errors.push(notSupported(path, isSet(spec.capacity) ? shown : null, ["storage"]));
  }
  for (const name of names) {
    const at = `${path}[${name}]`;
    const value = quantityValue(capacity[name]);
    if (value < 0) errors.push(invalidValue(at, Math.floor(value), "must be a valid resource quantity"));
    errors.push(...positiveQuantity(capacity[name], at));
  }
  return errors;
}

function affinityErrors(spec: JsonObject): FieldError[] {
  if (!isSet(spec.nodeAffinity)) return [];
  const path = "spec.nodeAffinity.required";
  const selector = fieldsOf(spec.nodeAffinity).required;
  if (!isSet(selector)) return [required(path, "must specify required node constraints")];
  return nodeSelectorErrors(fieldsOf(selector), path);
}

function attributesErrors(spec: JsonObject): FieldError[] {
  const name = spec.volumeAttributesClassName;
  const path = "spec.volumeAttributesClassName";
  if (!isSet(name)) return [];
  const errors =
    name === "" ? [required(path, "an empty string is disallowed")] : optionalName(name, path, isDNS1123Subdomain);
  if (isSet(spec.csi)) return errors;
  return [...errors, required("spec.csi", "has to be specified when using volumeAttributesClassName")];
}

/** Checks the annotation for mount options, which some sources of volumes don't have. */
function mountErrors(object: ApiObject): FieldError[] {
  if (!object.metadata.annotations?.[mountOptions]) return [];
  if (withMountOptions.some((kind) => isSet(fieldsOf(object.spec)[kind]))) return [];
  const path = `metadata.annotations.${mountOptions}`;
  return [forbiddenValue(path, "may not specify mount options for this volume type")];
}

function specErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const path = "spec.accessModes";
  const reclaim = "spec.persistentVolumeReclaimPolicy";
  const errors: FieldError[] = textsOf(spec.accessModes).length === 0 ? [required(path, "")] : [];
  errors.push(...accessModeErrors(spec.accessModes, path), ...capacityErrors(spec));
  const policies = ["Delete", "Recycle", "Retain"];
  errors.push(...optionalOneOf(spec.persistentVolumeReclaimPolicy, reclaim, policies));
  errors.push(...affinityErrors(spec), ...persistentSourceErrors(spec, object.metadata.name ?? ""));
  const isRoot = posix.normalize(textOf(fieldsOf(spec.hostPath).path)) === "/";
  if (isRoot && spec.persistentVolumeReclaimPolicy === "Recycle") {
    errors.push(forbiddenValue(reclaim, "may not be 'recycle' for a hostPath mount of '/'"));
  }
  return [
    ...errors,
    ...optionalName(spec.storageClassName, "spec.storageClassName", isDNS1123Subdomain),
    ...optionalOneOf(spec.volumeMode, "spec.volumeMode", volumeModes),
    ...attributesErrors(spec),
  ];
}

function volumeErrors(object: ApiObject): FieldError[] {
  return [...specErrors(object), ...mountErrors(object)];
}

/** The source of a volume, apart from a Secret that an update may add. */
function sourceOf(spec: JsonObject, before: JsonObject): JsonObject {
  const source = Object.fromEntries(Object.entries(spec).filter(([key]) => isPersistentSource(key)));
  const addsSecret = isSet(before.csi) && !isSet(fieldsOf(before.csi).controllerExpandSecretRef);
  if (!addsSecret || !isSet(source.csi)) return source;
  const { controllerExpandSecretRef: _added, ...csi } = fieldsOf(source.csi);
  return { ...source, csi };
}

/** Labels of nodes that an update may replace by their successors. */
const stableLabels: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
};

/** Returns the affinity of before with the labels that the update has replaced by their successors. */
function withStableLabels(before: Json | undefined, now: Json | undefined): Json {
  if (Array.isArray(before)) return before.map((item, i) => withStableLabels(item, Array.isArray(now) ? now[i] : null));
  if (!isObject(before)) return before ?? null;
  const next = fieldsOf(now);
  return Object.fromEntries(
    Object.entries(before).map(([key, value]) => {
      const stable = key === "key" ? stableLabels[textOf(value)] : undefined;
      return [key, stable !== undefined && stable === next.key ? stable : withStableLabels(value, next[key])];
    }),
  );
}

function updateErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [spec, before] = [fieldsOf(object.spec), fieldsOf(old.spec)];
  // The server checks the specification twice.
  const errors = [...volumeErrors(object), ...specErrors(object)];
  const [source, kept] = [sourceOf(spec, before), sourceOf(before, before)];
  if (!equalJson(source, kept)) {
    const detail = `spec.persistentvolumesource is immutable after creation\n${changes("core.PersistentVolumeSource", kept, source)}`;
    errors.push(forbiddenValue("spec.persistentvolumesource", detail));
  }
  errors.push(...immutable(spec.volumeMode, before.volumeMode, "volumeMode"));
  const isSameAffinity = equalJson(spec.nodeAffinity ?? null, withStableLabels(before.nodeAffinity, spec.nodeAffinity));
  if (isSet(before.nodeAffinity) && !isSameAffinity) {
    const shown = internalForm("*core.VolumeNodeAffinity", spec.nodeAffinity);
    errors.push(invalidValue("nodeAffinity", shown, "field is immutable, except for updating from beta label to GA"));
  }
  if (isSet(before.volumeAttributesClassName) && !isSet(spec.volumeAttributesClassName)) {
    errors.push(forbiddenValue("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden"));
  }
  return errors;
}

const oldAnnotations: Readonly<Record<string, string>> = {
  "volume.beta.kubernetes.io/storage-class": 'deprecated since v1.8; use "storageClassName" attribute instead',
  [mountOptions]: 'deprecated since v1.31; use "mountOptions" attribute instead',
};

const oldSources: Readonly<Record<string, string>> = {
  cephfs: "spec.cephfs: deprecated in v1.28, non-functional in v1.31+",
  photonPersistentDisk: "spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
  scaleIO: "spec.scaleIO: deprecated in v1.16, non-functional in v1.22+",
  storageos: "spec.storageOS: deprecated in v1.22, non-functional in v1.25+",
  glusterfs: "spec.glusterfs: deprecated in v1.25, non-functional in v1.26+",
  rbd: "spec.rbd: deprecated in v1.28, non-functional in v1.31+",
};

function volumeWarnings(object: ApiObject): string[] {
  const spec = fieldsOf(object.spec);
  const recycle =
    "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.";
  const terms = objectsOf(fieldsOf(fieldsOf(spec.nodeAffinity).required).nodeSelectorTerms);
  return [
    ...Object.entries(oldAnnotations).flatMap(([key, warning]) =>
      object.metadata.annotations?.[key] === undefined ? [] : [`metadata.annotations[${key}]: ${warning}`],
    ),
    ...(spec.persistentVolumeReclaimPolicy === "Recycle" ? [recycle] : []),
    ...terms.flatMap((term, index) => nodeTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`)),
    ...Object.entries(oldSources).flatMap(([kind, warning]) => (isSet(spec[kind]) ? [warning] : [])),
  ];
}

/** The rules of PersistentVolumes: new ones are pending, and the server notes the time of each phase. */
export const persistentVolume: Strategy = {
  prepareForCreate(object, { now }) {
    object.status = { phase: "Pending", lastPhaseTransitionTime: timestamp(now) };
  },
  prepareForUpdate(object, old, { subresource, now }) {
    if (subresource !== "status") return;
    const [status, before] = [fieldsOf(object.status), fieldsOf(old.status)];
    if (status.phase !== before.phase) {
      if (!isSet(status.lastPhaseTransitionTime) || status.lastPhaseTransitionTime === before.lastPhaseTransitionTime) {
        object.status = { ...status, lastPhaseTransitionTime: timestamp(now) };
      }
    } else if (!isSet(status.lastPhaseTransitionTime) && isSet(before.lastPhaseTransitionTime)) {
      object.status = { ...status, lastPhaseTransitionTime: before.lastPhaseTransitionTime };
    }
  },
  validate: volumeErrors,
  validateUpdate: (object, old, { subresource }) => (subresource === "status" ? [] : updateErrors(object, old)),
  warningsOnCreate: volumeWarnings,
  warningsOnUpdate: (object, _old, { subresource }) => (subresource === "status" ? [] : volumeWarnings(object)),
};
