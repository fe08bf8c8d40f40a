import type { JsonObject } from "../../../json/json.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { forbiddenValue, invalidValue, required } from "../../../request/paths.ts";
import { fieldsOf, isSet, textOf, textsOf } from "../fields.ts";
import { withoutParentSteps } from "./paths.ts";
import {
  type Check,
  driverNameErrors,
  fibreChannelErrors,
  hostPathErrors,
  iscsiErrors,
  needs,
  nfsErrors,
  secretReferenceErrors,
} from "./volume-sources.ts";

function localErrors(source: JsonObject, path: string): FieldError[] {
  const to = textOf(source.path);
  return to === "" ? [required(`${path}.path`, "")] : withoutParentSteps(to, `${path}.path`);
}

function driverErrors(source: JsonObject, path: string): FieldError[] {
  const secrets = [
    "controllerPublishSecretRef",
    "controllerExpandSecretRef",
    "nodePublishSecretRef",
    "nodeExpandSecretRef",
  ];
  return [
    ...driverNameErrors(source.driver, `${path}.driver`),
    ...needs("volumeHandle")(source, path),
    ...secrets.flatMap((key) => (isSet(source[key]) ? secretReferenceErrors(source[key], `${path}.${key}`) : [])),
  ];
}

const none: Check = () => [];

/** The checks of sources in the order in which the server reads them. */
const sources: Readonly<Record<string, Check>> = {
  hostPath: hostPathErrors,
  gcePersistentDisk: (source, path) => needs("pdName")(source, path.replace("gcePersistentDisk", "persistentDisk")),
  awsElasticBlockStore: needs("volumeID"),
  glusterfs: needs("endpoints", "path"),
  flocker: none,
  nfs: nfsErrors,
  rbd: (source, path) => [
    ...(textsOf(source.monitors).length === 0 ? [required(`${path}.monitors`, "")] : []),
    ...needs("image")(source, path),
  ],
  quobyte: none,
  cephfs: (source, path) => (textsOf(source.monitors).length === 0 ? [required(`${path}.monitors`, "")] : []),
  iscsi: (source, path) => iscsiErrors(source, path, "must be valid format"),
  cinder: needs("volumeID"),
  fc: fibreChannelErrors,
  flexVolume: needs("driver"),
  azureFile: none,
  vsphereVolume: needs("volumePath"),
  photonPersistentDisk: needs("pdID"),
  portworxVolume: needs("volumeID"),
  azureDisk: none,
  scaleIO: none,
  local: localErrors,
  storageos: none,
  csi: driverErrors,
};

/** Reports whether a field of a persistent volume is its source. */
export function isPersistentSource(field: string): boolean {
  return sources[field] !== undefined;
}

/**
 * Checks the source of a persistent volume.
 *
 * @param spec - the specification of the volume
 * @param name - the name of the volume
 * @returns the errors
 */
export function persistentSourceErrors(spec: JsonObject, name: string): FieldError[] {
  const [first, ...others] = Object.keys(sources).filter((kind) => isSet(spec[kind]));
  if (first === undefined) return [required("spec", "must specify a volume type")];
  const source = fieldsOf(spec[first]);
  const errors = (sources[first] as Check)(source, `spec.${first}`);
  if (first === "iscsi" && isSet(source.initiatorName) && `${name}:${textOf(source.targetPortal)}`.length > 64) {
    const detail =
      "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
    errors.push(invalidValue("spec.iscsi.targetportal", textOf(source.targetPortal), detail));
  }
  if (first === "local" && !isSet(spec.nodeAffinity)) {
    errors.push(required("spec.nodeAffinity", "Local volume requires node affinity"));
  }
  return [
    ...errors,
    ...others.map((kind) => forbiddenValue(`spec.${kind}`, "may not specify more than 1 volume type")),
  ];
}
