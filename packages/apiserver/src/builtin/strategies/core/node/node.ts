import { goQuote, type Json, type JsonObject, jsonProblem } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isQualifiedName,
  isValidLabelValue,
  notSupported,
  parseCIDR,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../../model/resource.ts";
import { cidrWarnings } from "../../../../validation/ip-warnings.ts";
import {
  duplicates,
  fieldsOf,
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  sortedKeys,
  textOf,
  textsOf,
} from "../../fields/fields.ts";
import { rangeErrors } from "../addresses.ts";
import { resourceQuantityErrors } from "../resource-names.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** A taint as the server shows it: with the names of its Go struct. */
function shownTaint(taint: JsonObject): JsonObject {
  return {
    Key: textOf(taint.key),
    Value: textOf(taint.value),
    Effect: textOf(taint.effect),
    TimeAdded: taint.timeAdded ?? null,
  };
}

/** Checks the taints. The server shows them as a part of the metadata. */
function taintErrors(taints: readonly JsonObject[], path = "metadata.taints"): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const at = `${path}[${index}]`;
    const [key, value, effect] = [textOf(taint.key), textOf(taint.value), textOf(taint.effect)];
    const errors = invalidFor(`${at}.key`, key, isQualifiedName(key));
    const problems = isValidLabelValue(value);
    if (problems.length > 0) errors.push(invalidValue(`${at}.value`, value, problems.join(";")));
    if (effect === "") errors.push(required(`${at}.effect`, ""));
    else if (!effects.includes(effect)) errors.push(notSupported(`${at}.effect`, effect, effects));
    const identity = JSON.stringify([effect, key]);
    if (seen.has(identity)) {
      const detail = "taints must be unique by key and effect pair";
      errors.push({ type: "FieldValueDuplicate", field: at, value: shownTaint(taint), detail });
    }
    seen.add(identity);
    return errors;
  });
}

function resourcesErrors(node: ApiObject): FieldError[] {
  const status = fieldsOf(node.status);
  return ["capacity", "allocatable"].flatMap((kind) =>
    sortedKeys(status[kind]).flatMap((name) =>
      resourceQuantityErrors(name, fieldsOf(status[kind])[name], `status.${kind}.${name}`),
    ),
  );
}

/** Checks the size of the swap space. The server shows it as a part of the metadata. */
function swapErrors(node: ApiObject): FieldError[] {
  const { capacity } = fieldsOf(fieldsOf(fieldsOf(node.status).nodeInfo).swap);
  if (!isSet(capacity) || numberOf(capacity) > 0) return [];
  return [invalidValue("metadata.nodeSwapStatus.capacity", capacity, "must be greater than zero")];
}

const longestFeature = 253;
const featurePattern = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;

function featureProblem(name: string): string | undefined {
  const problem = `invalid feature name ${goQuote(name)}: must`;
  if (Buffer.byteLength(name) > longestFeature) return `${problem} be no more than ${longestFeature} characters`;
  if (featurePattern.test(name)) return undefined;
  const form =
    "start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
  return `${problem} ${form}`;
}

/** Checks the features that a node declares: a sorted list of names. */
function featureErrors(node: ApiObject): FieldError[] {
  const features = textsOf(fieldsOf(node.status).declaredFeatures);
  return features.flatMap((feature, index) => {
    const at = (place: number): string => `status.declaredFeatures[${place}]`;
    const problem = featureProblem(feature);
    const errors = problem === undefined ? [] : [invalidValue(at(index), feature, problem)];
    const next = features[index + 1];
    if (next === undefined) return errors;
    if (feature === next) errors.push(duplicateValue(at(index + 1), next));
    else if (feature > next) errors.push(invalidValue(at(index + 1), next, "list must be sorted alphabetically"));
    return errors;
  });
}

function rangesErrors(ranges: readonly string[]): FieldError[] {
  const path = "spec.podCIDRs";
  const errors = ranges.flatMap((range, index) => rangeErrors(range, `${path}[${index}]`));
  const sizes = new Set(ranges.map((range) => parseCIDR(range, true)?.address.length));
  const wrong = ranges.findIndex((range) => parseCIDR(range, true) === undefined);
  if (ranges.length > 1 && wrong >= 0) {
    const problem = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${ranges[wrong]})`;
    const detail = `invalid PodCIDRs. failed to check with dual stack with error:${problem}`;
    errors.push({ type: "InternalError", field: path, detail });
    sizes.clear();
  }
  if (ranges.length < 2 || (ranges.length === 2 && sizes.size === 2)) return errors;
  return [...errors, invalidValue(path, [...ranges], "may specify no more than one CIDR for each IP family")];
}

const taintsAnnotation = "scheduler.alpha.kubernetes.io/taints";
const avoidPodsAnnotation = "scheduler.alpha.kubernetes.io/preferAvoidPods";

/** Checks the annotations of older versions: they are JSON. */
function annotationErrors({ annotations = {} }: ApiObject["metadata"]): FieldError[] {
  const read = (key: string, path: string, check: (value: Json) => FieldError[]): FieldError[] => {
    const text = annotations[key] ?? "";
    if (text === "") return [];
    const problem = jsonProblem(text);
    return problem === undefined ? check(JSON.parse(text) as Json) : [invalidValue(path, key, problem)];
  };
  const path = "metadata.annotations";
  return [
    ...read(taintsAnnotation, path, (value) => taintErrors(objectsOf(value), `${path}.${taintsAnnotation}`)),
    ...read(avoidPodsAnnotation, `${path}.AvoidPods`, (value) => avoidErrors(fieldsOf(value), path)),
  ];
}

function avoidErrors(value: JsonObject, path: string): FieldError[] {
  return objectsOf(value.preferAvoidPods).flatMap((entry, index) => {
    const at = `${path}.${avoidPodsAnnotation}[${index}].PodSignature`;
    const { podController } = fieldsOf(entry.podSignature);
    if (!isSet(podController)) return [required(at, "")];
    if (fieldsOf(podController).controller === true) return [];
    return [invalidValue(`${at}.PodController.Controller`, false, "must point to a controller")];
  });
}

function nodeErrors(node: ApiObject): FieldError[] {
  const spec = fieldsOf(node.spec);
  return [
    ...annotationErrors(node.metadata),
    ...taintErrors(objectsOf(spec.taints)),
    ...resourcesErrors(node),
    ...swapErrors(node),
    ...featureErrors(node),
    ...rangesErrors(textsOf(spec.podCIDRs)),
  ];
}

function fixedErrors(node: ApiObject, old: ApiObject): FieldError[] {
  const [spec, before] = [fieldsOf(node.spec), fieldsOf(old.spec)];
  const [now, then] = [textsOf(spec.podCIDRs), textsOf(before.podCIDRs)];
  const errors: FieldError[] = [];
  const differ = (field: string): string => `node updates may not change ${field} except from "" to valid`;
  const changes = now.length === then.length ? then.filter((range, index) => range !== now[index]).length : 1;
  if (then.length > 0) {
    for (let change = 0; change < changes; change++) errors.push(forbiddenValue("spec.podCIDRs", differ("podCIDR")));
  }
  const provider = textOf(before.providerID);
  if (provider !== "" && provider !== textOf(spec.providerID)) {
    const problem = textOf(spec.providerID) === "" ? "cleared" : "modified";
    errors.push(invalidValue("spec.providerID", null, `field cannot be ${problem} once set`));
  }
  errors.push(...taintErrors(objectsOf(spec.taints)));
  if (textOf(spec.externalID) !== textOf(before.externalID)) {
    errors.push(forbiddenValue("spec.externalID", "may not be updated"));
  }
  return errors;
}

function updateErrors(node: ApiObject, old: ApiObject): FieldError[] {
  const addresses = objectsOf(fieldsOf(node.status).addresses).map(({ type, address }) => ({
    Type: textOf(type),
    Address: textOf(address),
  }));
  const repeated = duplicates(
    addresses.map((address) => JSON.stringify(address)),
    (index) => `status.addresses[${index}]`,
  );
  const shown = repeated.map((error) => ({ ...error, value: JSON.parse(String(error.value)) as JsonObject }));
  return [
    ...annotationErrors(node.metadata),
    ...resourcesErrors(node),
    ...featureErrors(node),
    ...shown,
    ...fixedErrors(node, old),
  ];
}

/** Removes the fields of features that are off, or that the server no longer supports, unless an object has them already. */
function dropDisabledFields(node: ApiObject, old?: ApiObject): void {
  if (!isSet(fieldsOf(old?.spec).podPreemptionPolicy)) delete fieldsOf(node.spec).podPreemptionPolicy;
  if (!isSet(fieldsOf(old?.spec).configSource)) delete fieldsOf(node.spec).configSource;
  if (!isSet(fieldsOf(old?.status).config)) delete fieldsOf(node.status).config;
}

function nodeWarnings(node: ApiObject): string[] {
  const spec = fieldsOf(node.spec);
  return [
    ...(isSet(spec.configSource) ? ["spec.configSource: the feature is removed"] : []),
    ...(textOf(spec.externalID) === ""
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...textsOf(spec.podCIDRs).flatMap((range, index) => cidrWarnings(`spec.podCIDRs[${index}]`, range)),
  ];
}

/** The rules of Nodes. */
export const node: Strategy = {
  prepareForCreate: (object) => dropDisabledFields(object),
  prepareForUpdate: dropDisabledFields,
  validate: nodeErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? updateErrors(object, old) : [...nodeErrors(object), ...updateErrors(object, old)],
  warningsOnCreate: nodeWarnings,
  warningsOnUpdate: (object, _old, { subresource }) => (subresource === "status" ? [] : nodeWarnings(object)),
};
