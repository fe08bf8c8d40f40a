import { cloneJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1123Label,
  notSupported,
  required,
  validateAnnotations,
  validateLabels,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { podAnnotationErrors } from "../core/pod/pod-annotations.ts";
import { endlessErrors, isUnreadable, podTemplateErrors, selectedErrors } from "../core/pod/pod-template.ts";
import { podWarnings } from "../core/pod/pod-warnings.ts";
import { claimSpecErrors, claimSpecWarnings } from "../core/volume/claim-spec.ts";
import { amountErrors, amountOf, atMost100 } from "../fields/amounts.ts";
import { fieldsOf, immutable, isSet, nonNegative, numberOf, objectsOf, textOf } from "../fields/fields.ts";
import { collisionErrors, countErrors } from "./counts.ts";
import { emptySelector, immutableSelector, requiredSelectorErrors } from "./selectors.ts";
import { shownPartition } from "./update-strategy.ts";

/** The template with the volumes that the controller adds for the claims. */
function claimedTemplate(spec: JsonObject): JsonObject {
  const template = cloneJson(fieldsOf(spec.template));
  const podSpec = fieldsOf(template.spec);
  // The controller replaces both for each Pod.
  delete podSpec.hostname;
  delete podSpec.subdomain;
  const claims = ((spec.volumeClaimTemplates ?? []) as JsonObject[]).map(
    ({ metadata }) => fieldsOf(metadata).name ?? "",
  );
  if (claims.length === 0) return template;
  const volumes = ((podSpec.volumes ?? []) as JsonObject[]).filter(({ name }) => !claims.includes(name ?? ""));
  podSpec.volumes = [...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })), ...volumes];
  return { ...template, spec: podSpec };
}

function retentionErrors(spec: JsonObject): FieldError[] {
  const policy = spec.persistentVolumeClaimRetentionPolicy;
  if (!isObject(policy)) return [];
  return ["whenDeleted", "whenScaled"].flatMap((field) => {
    const value = (policy[field] ?? "") as string;
    if (value === "Retain" || value === "Delete") return [];
    return [notSupported(`spec.persistentVolumeClaimRetentionPolicy.${field}`, value, ["Retain", "Delete"])];
  });
}

/** Checks how Pods are replaced. */
function updateStrategyErrors(update: JsonObject): FieldError[] {
  const path = "spec.updateStrategy";
  const rolling = `${path}.rollingUpdate`;
  if (textOf(update.type) === "") return [required(path, "")];
  if (update.type === "OnDelete") {
    if (!isSet(update.rollingUpdate)) return [];
    return [
      invalidValue(rolling, shownPartition(update.rollingUpdate), "only allowed for updateStrategy 'RollingUpdate'"),
    ];
  }
  if (update.type !== "RollingUpdate") {
    const shown = { Type: update.type ?? "", RollingUpdate: shownPartition(update.rollingUpdate) };
    return [invalidValue(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  const { partition, maxUnavailable } = fieldsOf(update.rollingUpdate);
  return [
    ...nonNegative(partition, `${rolling}.partition`),
    ...(isSet(maxUnavailable) ? maxUnavailableErrors(maxUnavailable, `${rolling}.maxUnavailable`) : []),
  ];
}

/** Checks how many Pods may be unavailable at once: at least one, and not more than all. */
function maxUnavailableErrors(amount: Json, path: string): FieldError[] {
  const errors = amountErrors(amount, path);
  if (amountOf(amount) === 0) errors.push(invalidValue(path, amount, "cannot be 0"));
  return [...errors, ...atMost100(amount, path)];
}

function claimTemplateErrors(spec: JsonObject): FieldError[] {
  return objectsOf(spec.volumeClaimTemplates).flatMap((claim, index) =>
    claimSpecErrors(fieldsOf(claim.spec), `spec.volumeClaimTemplates[${index}].spec`),
  );
}

function templateErrors(spec: JsonObject): FieldError[] {
  const { selector, template } = spec;
  const path = "spec.template";
  const ends = endlessErrors(template, path, "StatefulSet");
  if (isObject(selector) && isUnreadable(selector)) return [invalidValue("spec.selector", selector, ""), ...ends];
  const { labels, annotations } = fieldsOf(fieldsOf(template).metadata);
  return [
    ...(isObject(selector) && emptySelector(selector) ? [] : selectedErrors(selector, template, path)),
    ...podTemplateErrors(claimedTemplate(spec), path),
    // The server checks the metadata of the template here, and with the rest of the template.
    ...validateLabels(labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...podAnnotationErrors(template, `${path}.annotations`),
    ...ends,
  ];
}

function statefulSetErrors(object: ApiObject, isNew: boolean): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors: FieldError[] = [];
  const policy = (spec.podManagementPolicy ?? "") as string;
  if (policy === "") errors.push(required("spec.podManagementPolicy", ""));
  else if (policy !== "OrderedReady" && policy !== "Parallel") {
    errors.push(invalidValue("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  errors.push(...updateStrategyErrors(fieldsOf(spec.updateStrategy)));
  const service = (spec.serviceName ?? "") as string;
  errors.push(
    ...retentionErrors(spec),
    ...(isNew ? claimTemplateErrors(spec) : []),
    ...nonNegative(spec.replicas, "spec.replicas"),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...nonNegative(fieldsOf(spec.ordinals).start, "spec.ordinals.start"),
    ...(isNew && service !== "" ? isDNS1123Label(service) : []).map((problem) =>
      invalidValue("spec.serviceName", service, problem),
    ),
    ...requiredSelectorErrors(spec, "statefulset"),
  );
  return [...errors, ...templateErrors(spec)];
}

/** Checks the fields that can't change. */
function fixedErrors(object: ApiObject, old: ApiObject, isEmptied: boolean): FieldError[] {
  const [spec, before] = [fieldsOf(object.spec), fieldsOf(old.spec)];
  const claims = immutable(spec.volumeClaimTemplates, before.volumeClaimTemplates, "spec.volumeClaimTemplates");
  return [
    ...immutableSelector(object, old),
    ...claims.map((error) => ({ ...error, value: shownClaims(spec.volumeClaimTemplates, isEmptied) })),
    ...immutable(textOf(spec.serviceName), textOf(before.serviceName), "spec.serviceName"),
    ...immutable(spec.podManagementPolicy, before.podManagementPolicy, "spec.podManagementPolicy"),
  ];
}

/** Prints claims as messages do, with the fields of the internal type. */
function shownClaims(claims: Json | undefined, isEmptied: boolean): Json {
  if (!Array.isArray(claims)) return isEmptied ? [] : null;
  // Their internal form has no type.
  return (claims as JsonObject[]).map(({ apiVersion: _apiVersion, kind: _kind, ...claim }) =>
    internalForm("core.PersistentVolumeClaim", claim),
  );
}

function statefulSetStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const status = fieldsOf(object.status);
  const parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
  const counts = [...parts.slice(0, 3), "observedGeneration", "collisionCount", "availableReplicas"];
  const errors = countErrors(status, counts, parts, "status.readyReplicas");
  return [...errors, ...collisionErrors(object, old)];
}

function historyWarnings(object: ApiObject): string[] {
  if (numberOf(fieldsOf(object.spec).revisionHistoryLimit) >= 0) return [];
  return ["spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"];
}

function templateWarnings(object: ApiObject): string[] {
  return podWarnings(fieldsOf(object.spec).template, "spec.template");
}

/** Finds the warnings for the claims. Their path depends on the write. */
function claimWarnings(object: ApiObject, end: string): string[] {
  return objectsOf(fieldsOf(object.spec).volumeClaimTemplates).flatMap((claim, index) =>
    claimSpecWarnings(fieldsOf(claim.spec), `spec.volumeClaimTemplates[${index}]${end}`),
  );
}

/** The rules of StatefulSets. */
export const statefulSet: Strategy = {
  warningsOnCreate: (object) => [...templateWarnings(object), ...claimWarnings(object, ""), ...historyWarnings(object)],
  warningsOnUpdate(object, old, { subresource }) {
    if (subresource === "status") return [];
    const isChanged = object.metadata.generation !== old.metadata.generation;
    return [
      ...(isChanged ? templateWarnings(object) : []),
      ...claimWarnings(object, ".Spec"),
      ...historyWarnings(object),
    ];
  },
  validate: (object) => statefulSetErrors(object, true),
  validateUpdate: (object, old, { subresource, emptied }) =>
    subresource === "status"
      ? statefulSetStatusErrors(object, old)
      : [...statefulSetErrors(object, false), ...fixedErrors(object, old, emptied?.has("spec") === true)],
};
