import type { JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue, isDNS1123Label, required } from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, isSet, textOf } from "../../fields/fields.ts";
import { withoutParentSteps } from "../paths.ts";
import { needsSecret, oldSources, shownSource, storageOS } from "./old-volume-sources.ts";
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

const glusterfs: Check = (source, path) => {
  const errors = needs("endpoints", "path")(source, path);
  if (!isSet(source.endpointsNamespace)) return errors;
  const [name, at] = [textOf(source.endpointsNamespace), `${path}.endpointsNamespace`];
  const empty = "if the endpointnamespace is set, it must be a valid namespace name";
  return [...errors, ...(name === "" ? [invalidValue(at, "", empty)] : invalidFor(at, name, isDNS1123Label(name)))];
};

/** The checks of sources in the order in which the server reads them. */
const sources: Readonly<Record<string, Check>> = {
  hostPath: hostPathErrors,
  gcePersistentDisk: (source, path) => needs("pdName")(source, path.replace("gcePersistentDisk", "persistentDisk")),
  awsElasticBlockStore: needs("volumeID"),
  glusterfs,
  flocker: oldSources.flocker,
  nfs: nfsErrors,
  rbd: oldSources.rbd,
  quobyte: oldSources.quobyte,
  cephfs: oldSources.cephfs,
  iscsi: (source, path) => iscsiErrors(source, path, "must be valid format"),
  cinder: (source, path) => [...needs("volumeID")(source, path), ...needsSecret("name", "namespace")(source, path)],
  fc: fibreChannelErrors,
  flexVolume: oldSources.flexVolume,
  azureFile: (source, path) => [
    ...oldSources.azureFile(source, path),
    ...(isSet(source.secretNamespace) ? needs("secretNamespace")(source, path) : []),
  ],
  vsphereVolume: oldSources.vsphereVolume,
  photonPersistentDisk: oldSources.photonPersistentDisk,
  portworxVolume: oldSources.portworxVolume,
  azureDisk: oldSources.azureDisk,
  scaleIO: oldSources.scaleIO,
  local: localErrors,
  storageos: storageOS("name", "namespace"),
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
    ...others.flatMap((kind) =>
      // The real server never counts flex volumes.
      kind === "flexVolume"
        ? oldSources.flexVolume(fieldsOf(spec.flexVolume), "spec.flexVolume")
        : [forbiddenValue(`spec.${shownSource(kind)}`, "may not specify more than 1 volume type")],
    ),
  ];
}
