// The sources of volumes that became drivers of their own. The API still has them.
import { invalidValue, isDNS1123Label, notSupported, required } from "@kubewright/cel/validation";
import { fieldsOf, isSet, optionalName, requiredText, textOf, textsOf } from "../../fields/fields.ts";
import { type Check, needs } from "./volume-sources.ts";

type OldSource =
  | "azureDisk"
  | "azureFile"
  | "cephfs"
  | "cinder"
  | "flexVolume"
  | "flocker"
  | "photonPersistentDisk"
  | "portworxVolume"
  | "quobyte"
  | "rbd"
  | "scaleIO"
  | "storageos"
  | "vsphereVolume";

const shownSources: Readonly<Record<string, string>> = { cephfs: "cephFS", downwardAPI: "downwarAPI" };

/** Returns the name of a source in the error for a second source, which the real server sometimes spells differently. */
export function shownSource(kind: string): string {
  return shownSources[kind] ?? kind;
}

const blobURI = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
const managedURI = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";

function needsMonitors(...keys: string[]): Check {
  return (source, path) => [
    ...(textsOf(source.monitors).length === 0 ? [required(`${path}.monitors`, "")] : []),
    ...needs(...keys)(source, path),
  ];
}

const azureDisk: Check = (source, path) => {
  const { diskURI, cachingMode, kind } = source;
  const caching = ["None", "ReadOnly", "ReadWrite"];
  const kinds = ["Dedicated", "Managed", "Shared"];
  const isManaged = kind === "Managed";
  const start = isManaged ? "/subscriptions/" : "https://";
  return [
    ...needs("diskName", "diskURI")(source, path),
    ...(isSet(cachingMode) && !caching.includes(textOf(cachingMode))
      ? [notSupported(`${path}.cachingMode`, textOf(cachingMode), caching)]
      : []),
    ...(isSet(kind) && !kinds.includes(textOf(kind)) ? [notSupported(`${path}.kind`, textOf(kind), kinds)] : []),
    ...(textOf(diskURI).startsWith(start)
      ? []
      : [notSupported(`${path}.diskURI`, textOf(diskURI), [isManaged ? managedURI : blobURI])]),
  ];
};

const quobyte: Check = (source, path) => {
  const rule = "must be a host:port pair or multiple pairs separated by commas";
  const [registry, tenant] = [textOf(source.registry), textOf(source.tenant)];
  const pairs = registry.split(",").filter((pair) => !/^(?:[^:[\]]*|\[[^\]]*\]):[^:]*$/.test(pair));
  const errors = pairs.map(() => invalidValue(`${path}.registry`, registry, rule));
  const volume = needs("volume")(source, path);
  if (registry === "") return [required(`${path}.registry`, rule), ...volume];
  if (Buffer.byteLength(tenant) < 65) return [...errors, ...volume];
  const detail = "must be a UUID and may not exceed a length of 64 characters";
  return [required(`${path}.tenant`, detail), ...volume];
};

const flocker: Check = (source, path) => {
  const [name, uuid] = [textOf(source.datasetName), textOf(source.datasetUUID)];
  if (name === "" && uuid === "") return [required(path, "one of datasetName and datasetUUID is required")];
  return [
    ...(name !== "" && uuid !== ""
      ? [invalidValue(path, "resource", "datasetName and datasetUUID can not be specified simultaneously")]
      : []),
    ...(name.includes("/") ? [invalidValue(`${path}.datasetName`, name, "must not contain '/'")] : []),
  ];
};

const flexVolume: Check = (source, path) => {
  const reserved = Object.keys(fieldsOf(source.options)).filter((key) => {
    const [namespace = ""] = key.split("/");
    return /\.(kubernetes|k8s)\.io$/.test(`.${namespace.toLowerCase()}`);
  });
  const detail = "kubernetes.io and k8s.io namespaces are reserved";
  return [
    ...needs("driver")(source, path),
    ...reserved.map((key) => invalidValue(`${path}.options[${key}]`, key, detail)),
  ];
};

/**
 * Creates the check of a volume of StorageOS.
 *
 * @param secret - the fields of the reference to its Secret that can't be empty
 * @returns the check
 */
export function storageOS(...secret: string[]): Check {
  return (source, path) => [
    ...requiredText(source.volumeName, `${path}.volumeName`, isDNS1123Label),
    ...optionalName(source.volumeNamespace, `${path}.volumeNamespace`, isDNS1123Label),
    ...needsSecret(...secret)(source, path),
  ];
}

/** Creates the check of the reference to a Secret, which may be absent. */
export function needsSecret(...keys: string[]): Check {
  return ({ secretRef }, path) => (isSet(secretRef) ? needs(...keys)(fieldsOf(secretRef), `${path}.secretRef`) : []);
}

/** The checks of these sources in the order in which the server reads them. */
export const oldSources: Readonly<Record<OldSource, Check>> = {
  flocker,
  rbd: needsMonitors("image"),
  cephfs: needsMonitors(),
  quobyte,
  flexVolume,
  azureFile: needs("secretName", "shareName"),
  vsphereVolume: needs("volumePath"),
  photonPersistentDisk: needs("pdID"),
  portworxVolume: needs("volumeID"),
  azureDisk,
  storageos: storageOS("name"),
  scaleIO: needs("gateway", "system", "volumeName"),
  cinder: (source, path) => [...needs("volumeID")(source, path), ...needsSecret("name")(source, path)],
};
