// The sources of volumes that became drivers of their own. The API still has them.
import { invalidValue, notSupported, required } from "../../../request/paths.ts";
import { fieldsOf, isSet, textOf, textsOf } from "../fields.ts";
import { type Check, needs } from "./volume-sources.ts";

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

/** The checks of these sources in the order in which the server reads them. */
export const oldSources: Readonly<Record<string, Check>> = {
  flocker,
  rbd: needsMonitors("image"),
  cephfs: needsMonitors(),
  quobyte,
  flexVolume: needs("driver"),
  azureFile: needs("secretName", "shareName"),
  vsphereVolume: needs("volumePath"),
  photonPersistentDisk: needs("pdID"),
  portworxVolume: needs("volumeID"),
  azureDisk,
  storageos: needs("volumeName"),
  scaleIO: needs("gateway", "system", "volumeName"),
  cinder: (source, path) => [
    ...needs("volumeID")(source, path),
    ...(isSet(source.secretRef) ? needs("name")(fieldsOf(source.secretRef), `${path}.secretRef`) : []),
  ],
};
