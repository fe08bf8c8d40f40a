import { goQuote, type JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  notSupported,
  required,
  validateAnnotations,
  validateLabels,
} from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, isSet, numberOf, objectsOf, textOf } from "../../fields/fields.ts";
import { compareQuantities } from "../../fields/quantities.ts";
import { localPathErrors } from "../paths.ts";
import { claimSpecErrors } from "./claim-spec.ts";
import { oldSources, shownSource } from "./old-volume-sources.ts";
import { projectedErrors } from "./projected-volume.ts";
import { downwardItems, itemErrors, modeErrors } from "./volume-files.ts";
import {
  type Check,
  driverNameErrors,
  fibreChannelErrors,
  hostPathErrors,
  iscsiErrors,
  needs,
  nfsErrors,
} from "./volume-sources.ts";

function diskErrors(name: string): Check {
  return (source, path) => {
    const partition = numberOf(source.partition);
    const errors = needs(name)(source, path);
    if (partition >= 0 && partition <= 255) return errors;
    return [...errors, invalidValue(`${path}.partition`, partition, "must be between 1 and 255, inclusive")];
  };
}

/** The metadata that the server sets itself for a claim. The server writes the names as in its internal type. */
const ownMetadata: Readonly<Record<string, string>> = {
  name: "name",
  generateName: "generateName",
  namespace: "namespace",
  selfLink: "selfLink",
  uid: "uID",
  resourceVersion: "resourceVersion",
  generation: "generation",
  creationTimestamp: "creationTimestamp",
  deletionTimestamp: "deletionTimestamp",
  deletionGracePeriodSeconds: "deletionGracePeriodSeconds",
  ownerReferences: "ownerReferences",
  finalizers: "finalizers",
  managedFields: "managedFields",
};

/** Checks that a template of claims has only labels and annotations. */
export function otherMetadataErrors(metadata: JsonObject, path: string): FieldError[] {
  const used = Object.keys(ownMetadata).filter((key) => {
    const value = metadata[key];
    return isSet(value) && value !== "" && !(key === "generation" && value === 0);
  });
  return used.map((key) => forbiddenValue(`${path}.${ownMetadata[key]}`, "cannot be set"));
}

/** The checks of sources in the order in which the server reads them. */
const sources: Readonly<Record<string, Check>> = {
  emptyDir(source, path) {
    if (compareQuantities(source.sizeLimit, "0") >= 0) return [];
    return [forbiddenValue(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity")];
  },
  hostPath: hostPathErrors,
  gitRepo: (source, path) => [
    ...needs("repository")(source, path),
    ...localPathErrors(textOf(source.directory), `${path}.directory`),
  ],
  // The server names this source by its internal field.
  gcePersistentDisk: (source, path) =>
    diskErrors("pdName")(source, path.replace(/gcePersistentDisk$/, "persistentDisk")),
  awsElasticBlockStore: diskErrors("volumeID"),
  secret: (source, path) => [
    ...needs("secretName")(source, path),
    ...modeErrors(source.defaultMode, `${path}.defaultMode`),
    ...itemErrors(source, path),
  ],
  nfs: nfsErrors,
  iscsi: (source, path) => iscsiErrors(source, path, "must be valid format starting with iqn, eui, or naa"),
  glusterfs: needs("endpoints", "path"),
  persistentVolumeClaim: needs("claimName"),
  downwardAPI: (source, path) => [
    ...modeErrors(source.defaultMode, `${path}.defaultMode`),
    ...downwardItems(source, path),
  ],
  configMap: (source, path) => [
    ...needs("name")(source, path),
    ...modeErrors(source.defaultMode, `${path}.defaultMode`),
    ...itemErrors(source, path),
  ],
  fc: fibreChannelErrors,
  projected: projectedErrors,
  ...oldSources,
  ephemeral(source, path) {
    const at = `${path}.volumeClaimTemplate`;
    if (!isSet(source.volumeClaimTemplate)) return [required(at, "")];
    const { metadata, spec } = fieldsOf(source.volumeClaimTemplate);
    const { labels, annotations } = fieldsOf(metadata);
    return [
      ...validateAnnotations(annotations, `${at}.metadata.annotations`),
      ...validateLabels(labels, `${at}.metadata.labels`),
      ...otherMetadataErrors(fieldsOf(metadata), `${at}.metadata`),
      ...claimSpecErrors(fieldsOf(spec), `${at}.spec`),
    ];
  },
  csi(source, path) {
    const errors = driverNameErrors(source.driver, `${path}.driver`);
    if (!isSet(source.nodePublishSecretRef)) return errors;
    const name = textOf(fieldsOf(source.nodePublishSecretRef).name);
    if (name === "") return [...errors, required(`${path}.nodePublishSecretRef.name`, "")];
    return [...errors, ...invalidFor(`${path}.name`, name, isDNS1123Subdomain(name))];
  },
  image(source, path) {
    const errors = needs("reference")(source, path);
    const pull = textOf(source.pullPolicy);
    const policies = ["Always", "IfNotPresent", "Never"];
    return policies.includes(pull) ? errors : [...errors, notSupported(`${path}.pullPolicy`, pull, policies)];
  },
};

const ignored = new Set(["name", ...Object.keys(sources)]);

function sourceErrors(volume: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let count = Object.keys(volume).filter((key) => !ignored.has(key) && isSet(volume[key])).length;
  const others = count;
  for (const [kind, check] of Object.entries(sources)) {
    if (!isSet(volume[kind])) continue;
    if (count > others)
      errors.push(forbiddenValue(`${path}.${shownSource(kind)}`, "may not specify more than 1 volume type"));
    else errors.push(...check(fieldsOf(volume[kind]), `${path}.${kind}`));
    count++;
  }
  return count === 0 ? [required(path, "must specify a volume type")] : errors;
}

/** Checks the name of the claim that a Pod gets for a volume. */
function claimNameErrors(volume: JsonObject, at: string, pod: string): FieldError[] {
  const name = textOf(volume.name);
  if (!isSet(volume.ephemeral) || pod === "" || name === "") return [];
  const claim = `${pod}-${name}`;
  return invalidFor(
    `${at}.name`,
    name,
    isDNS1123Subdomain(claim).map((problem) => `PVC name ${goQuote(claim)}: ${problem}`),
  );
}

/**
 * Checks the volumes of a Pod.
 *
 * @param spec - the specification of the Pod
 * @param path - its path
 * @param pod - the metadata of the Pod; undefined for templates
 * @returns the errors, and the valid volumes by name
 */
export function volumeErrors(
  spec: JsonObject,
  path: string,
  pod: JsonObject | undefined,
): { errors: FieldError[]; volumes: Map<string, JsonObject> } {
  const errors: FieldError[] = [];
  const volumes = new Map<string, JsonObject>();
  const all = objectsOf(spec.volumes);
  const podName = textOf(pod?.name);
  const ephemeral = all.filter((volume) => podName !== "" && isSet(volume.ephemeral));
  const created = ephemeral.map(({ name }) => `${podName}-${name}`);
  for (const [index, volume] of all.entries()) {
    const at = `${path}.volumes[${index}]`;
    const name = textOf(volume.name);
    const own = [...sourceErrors(volume, at), ...claimNameErrors(volume, at, podName)];
    if (name === "") own.push(required(`${at}.name`, ""));
    else own.push(...invalidFor(`${at}.name`, name, isDNS1123Label(name)));
    if (volumes.has(name)) own.push(duplicateValue(`${at}.name`, name));
    if (own.length === 0) volumes.set(name, volume);
    errors.push(...own);
    const claim = textOf(fieldsOf(volume.persistentVolumeClaim).claimName);
    if (!created.includes(claim)) continue;
    const detail = "must not reference a PVC that gets created for an ephemeral volume";
    errors.push(invalidValue(`${at}.persistentVolumeClaim.claimName`, claim, detail));
  }
  return { errors, volumes };
}
