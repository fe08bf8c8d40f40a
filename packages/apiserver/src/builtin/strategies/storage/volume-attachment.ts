import { byteLength, isObject, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  nameIsDNSSubdomain,
  required,
  tooLong,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { accessModeErrors } from "../core/volume/access-modes.ts";
import { persistentSourceErrors } from "../core/volume/persistent-sources.ts";
import { declaredDriverNameErrors } from "../core/volume/volume-sources.ts";
import {
  declaredImmutable,
  fieldsOf,
  invalidFor,
  isSet,
  numberOf,
  sortedKeys,
  textOf,
  textsOf,
} from "../fields/fields.ts";

const largestMetadata = 256 * 1024;
const longestMessage = 1024;
const exactlyOne = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
const inline = "in the context of inline volumes";

/** The rules of VolumeAttachments, whose specification can't change. */
export const volumeAttachment: Strategy = {
  validate: attachmentErrors,
  validateUpdate: (object, old) => [...attachmentErrors(object), ...declaredImmutable(object.spec, old.spec, "spec")],
};

function attachmentErrors(object: ApiObject): FieldError[] {
  const [spec, status] = [fieldsOf(object.spec), fieldsOf(object.status)];
  const source = fieldsOf(spec.source);
  const [node, volume] = [textOf(spec.nodeName), textOf(source.persistentVolumeName)];
  const volumePath = "spec.source.persistentVolumeName";
  return [
    ...declaredDriverNameErrors(spec.attacher, "spec.attacher"),
    ...sourceErrors(source, "spec.source"),
    ...invalidFor("spec.nodeName", node, nameIsDNSSubdomain(node, false)),
    ...metadataErrors(fieldsOf(status.attachmentMetadata), "status.attachmentMetadata"),
    ...problemErrors(fieldsOf(status.attachError), "status.attachError"),
    ...problemErrors(fieldsOf(status.detachError), "status.detachError"),
    ...(isSet(source.persistentVolumeName) ? invalidFor(volumePath, volume, nameIsDNSSubdomain(volume, false)) : []),
  ];
}

function sourceErrors(source: JsonObject, path: string): FieldError[] {
  const { inlineVolumeSpec, persistentVolumeName } = source;
  if (isSet(inlineVolumeSpec) && isSet(persistentVolumeName)) return [forbiddenValue(path, exactlyOne)];
  if (isObject(inlineVolumeSpec)) return inlineErrors(inlineVolumeSpec, `${path}.inlineVolumeSpec`);
  if (!isSet(persistentVolumeName)) return [required(path, exactlyOne)];
  if (persistentVolumeName !== "") return [];
  return [required(`${path}.persistentVolumeName`, "must specify non empty persistentVolumeName")];
}

function inlineErrors(spec: JsonObject, path: string): FieldError[] {
  const refused = (field: string, isGiven: boolean): FieldError[] =>
    isGiven ? [forbiddenValue(`${path}.${field}`, `may not be specified ${inline}`)] : [];
  const policy = textOf(spec.persistentVolumeReclaimPolicy);
  const policyPath = `${path}.persistentVolumeReclaimPolicy`;
  return [
    ...refused("claimRef", isSet(spec.claimRef)),
    ...refused("capacity", sortedKeys(spec.capacity).length > 0),
    ...(isSet(spec.csi) ? [] : [required(`${path}.csi`, `has to be specified ${inline}`)]),
    ...(textsOf(spec.accessModes).length === 0 ? [required(`${path}.accessModes`, "")] : []),
    ...accessModeErrors(spec.accessModes, `${path}.accessModes`),
    ...(policy === "" || policy === "Retain" ? [] : [forbiddenValue(policyPath, `may only be Retain ${inline}`)]),
    ...refused("nodeAffinity", isSet(spec.nodeAffinity)),
    ...persistentSourceErrors(spec, "").map((error) => ({ ...error, field: error.field.replace(/^spec/, path) })),
  ];
}

function metadataErrors(metadata: JsonObject, path: string): FieldError[] {
  const size = Object.entries(metadata).reduce(
    (sum, [key, value]) => sum + byteLength(key) + byteLength(textOf(value)),
    0,
  );
  return size > largestMetadata ? [tooLong(path, largestMetadata)] : [];
}

function problemErrors(problem: JsonObject, path: string): FieldError[] {
  const isLong = byteLength(textOf(problem.message)) > longestMessage;
  const code = numberOf(problem.errorCode);
  return [
    ...(isLong ? [tooLong(`${path}.message`, longestMessage)] : []),
    ...(code < 0 ? [invalidValue(`${path}.errorCode`, code, "must be between 0 and 2147483647, inclusive")] : []),
  ];
}
