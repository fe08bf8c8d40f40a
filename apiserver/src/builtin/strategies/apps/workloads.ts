import { isObject, type Json, type JsonObject } from "../../../json/json.ts";
import { cloneJson, equalJson } from "../../../json/values.ts";
import { validateLabelSelector } from "../../../metadata/label-selector.ts";
import type { ApiObject, Strategy } from "../../../registry/resource.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { forbiddenValue, invalidValue, notSupported, required } from "../../../request/paths.ts";
import { isDNS1123Label } from "../../../validation/name-rules.ts";
import { amountErrors, amountOf, atMost100 } from "../amounts.ts";
import { endlessErrors, podTemplateErrors, selectedErrors } from "../core/pod-template.ts";
import { fieldsOf, isSet, nonNegative, numberOf } from "../fields.ts";
import { countErrors } from "./counts.ts";

function emptySelector(selector: Json | undefined): boolean {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  return Object.keys(fieldsOf(matchLabels)).length === 0 && ((matchExpressions ?? []) as Json[]).length === 0;
}

/** A selector as Go encodes the struct. */
function shownSelector(selector: Json | undefined): Json {
  return isObject(selector) ? selector : null;
}

function requiredSelectorErrors(spec: JsonObject, kind: string): FieldError[] {
  if (!isObject(spec.selector)) return [required("spec.selector", "")];
  const errors = validateLabelSelector(spec.selector, "spec.selector");
  if (emptySelector(spec.selector)) {
    errors.push(invalidValue("spec.selector", shownSelector(spec.selector), `empty selector is invalid for ${kind}`));
  }
  return errors;
}

function scaledTemplateErrors({ selector, template }: JsonObject): FieldError[] {
  const errors =
    isObject(selector) && emptySelector(selector) ? [] : selectedErrors(selector, template, "spec.template");
  errors.push(
    ...podTemplateErrors(template, "spec.template"),
    ...endlessErrors(template, "spec.template", "ReplicaSet"),
  );
  return errors;
}

function immutableSelector(object: ApiObject, old: ApiObject): FieldError[] {
  const selector = fieldsOf(object.spec).selector;
  if (equalJson(selector, fieldsOf(old.spec).selector)) return [];
  return [invalidValue("spec.selector", shownSelector(selector), "field is immutable")];
}

/** An update strategy as the server shows it: with the names of its Go struct. */
function shownStrategy({ type, rollingUpdate }: JsonObject): Json {
  return { Type: type ?? "", RollingUpdate: rollingUpdate ?? null };
}

function strategyErrors(spec: JsonObject): FieldError[] {
  const strategy = fieldsOf(spec.strategy);
  const path = "spec.strategy";
  if (strategy.type === "Recreate") {
    if (strategy.rollingUpdate === undefined) return [];
    return [forbiddenValue(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
  }
  if (strategy.type !== "RollingUpdate")
    return [notSupported(path, shownStrategy(strategy), ["Recreate", "RollingUpdate"])];
  if (strategy.rollingUpdate === undefined) {
    return [required(`${path}.rollingUpdate`, "this should be defaulted and never be nil")];
  }
  const { maxUnavailable, maxSurge } = fieldsOf(strategy.rollingUpdate);
  const unavailable = `${path}.rollingUpdate.maxUnavailable`;
  const errors = [
    ...amountErrors(maxUnavailable, unavailable),
    ...amountErrors(maxSurge, `${path}.rollingUpdate.maxSurge`),
  ];
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    errors.push(invalidValue(unavailable, maxUnavailable ?? 0, "may not be 0 when `maxSurge` is 0"));
  }
  return [...errors, ...atMost100(maxUnavailable, unavailable)];
}

function deploymentErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors = [
    ...nonNegative(spec.replicas, "spec.replicas"),
    ...requiredSelectorErrors(spec, "deployment"),
    ...scaledTemplateErrors(spec),
    ...strategyErrors(spec),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...nonNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
  ];
  const deadline = spec.progressDeadlineSeconds;
  if (typeof deadline === "number") {
    const path = "spec.progressDeadlineSeconds";
    errors.push(...nonNegative(deadline, path));
    if (deadline <= ((spec.minReadySeconds ?? 0) as number)) {
      errors.push(invalidValue(path, deadline, "must be greater than minReadySeconds"));
    }
  }
  return errors;
}

/** Checks that the number of collisions doesn't become less. */
function collisionErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [count, before] = [fieldsOf(object.status).collisionCount, fieldsOf(old.status).collisionCount];
  if (!isSet(before) || numberOf(count) >= numberOf(before)) return [];
  return [invalidValue("status.collisionCount", count ?? null, "cannot be decremented")];
}

const deploymentCounts = ["updatedReplicas", "readyReplicas", "availableReplicas"];

function deploymentStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const status = fieldsOf(object.status);
  const shown = ["observedGeneration", ...deploymentCounts.slice(0, 2), "availableReplicas", "unavailableReplicas"];
  const errors = countErrors(status, [...shown, "collisionCount"], deploymentCounts, "readyReplicas");
  return [...errors, ...collisionErrors(object, old)];
}

/** The rules of Deployments. */
export const deployment: Strategy = {
  validate: deploymentErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status"
      ? deploymentStatusErrors(object, old)
      : [...deploymentErrors(object), ...immutableSelector(object, old)],
};

function replicaSetErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  return [
    ...nonNegative(spec.replicas, "spec.replicas"),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...requiredSelectorErrors(spec, "deployment"),
    ...scaledTemplateErrors(spec),
  ];
}

/** Checks the status of a ReplicaSet or a ReplicationController. */
export function replicaStatusErrors(object: ApiObject): FieldError[] {
  const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
  return countErrors(fieldsOf(object.status), [...parts, "observedGeneration"], parts, "readyReplicas");
}

/** The rules of ReplicaSets. */
export const replicaSet: Strategy = {
  validate: replicaSetErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status"
      ? replicaStatusErrors(object)
      : [...replicaSetErrors(object), ...immutableSelector(object, old)],
};

function daemonSetErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const { selector, template } = spec;
  const errors = [
    ...validateLabelSelector(selector, "spec.selector"),
    ...selectedErrors(selector, template, "spec.template"),
  ];
  if (isObject(selector) && emptySelector(selector)) {
    errors.push(invalidValue("spec.selector", shownSelector(selector), "empty selector is invalid for daemonset"));
  }
  errors.push(
    ...podTemplateErrors(template, "spec.template"),
    ...endlessErrors(template, "spec.template", "DaemonSet"),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
  );
  const update = fieldsOf(spec.updateStrategy);
  if (update.type !== "OnDelete" && update.type !== "RollingUpdate") {
    errors.push(notSupported("spec.updateStrategy", shownStrategy(update), ["OnDelete", "RollingUpdate"]));
  }
  return [...errors, ...nonNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit")];
}

const daemonSetCounts = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

function daemonSetStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const status = fieldsOf(object.status);
  const errors = daemonSetCounts.flatMap((count) => nonNegative(status[count], `status.${count}`));
  return [...errors, ...collisionErrors(object, old)];
}

const templateGeneration = "deprecated.daemonset.template.generation";

/** Counts the changes of the template in an annotation, in which version 1 shows a field of older versions. */
function setTemplateGeneration(object: ApiObject, old?: ApiObject): void {
  const before = Number(old?.metadata.annotations?.[templateGeneration] ?? "0");
  const isSame =
    old !== undefined && equalJson(fieldsOf(object.spec).template ?? null, fieldsOf(old.spec).template ?? null);
  const generation = old === undefined ? 1 : isSame ? before : before + 1;
  object.metadata.annotations = { ...object.metadata.annotations, [templateGeneration]: String(generation) };
}

/** The rules of DaemonSets. */
export const daemonSet: Strategy = {
  prepareForCreate: (object) => setTemplateGeneration(object),
  prepareForUpdate(object, old, { subresource }) {
    if (subresource === "") setTemplateGeneration(object, old);
  },
  validate: daemonSetErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status"
      ? daemonSetStatusErrors(object, old)
      : [...immutableSelector(object, old), ...daemonSetErrors(object)],
};

const updatableOfStatefulSets = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

/** The template with the volumes that the controller adds for the claims. */
function claimedTemplate(spec: JsonObject): JsonObject {
  const template = cloneJson(fieldsOf(spec.template));
  const podSpec = fieldsOf(template.spec);
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
    return [notSupported(`spec.persistentVolumeClaimRetentionPolicy.${field}`, value, ["Delete", "Retain"])];
  });
}

function statefulSetErrors(object: ApiObject, isNew: boolean): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors: FieldError[] = [];
  const policy = (spec.podManagementPolicy ?? "") as string;
  if (policy === "") errors.push(required("spec.podManagementPolicy", ""));
  else if (policy !== "OrderedReady" && policy !== "Parallel") {
    errors.push(invalidValue("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  const update = fieldsOf(spec.updateStrategy);
  if ((update.type ?? "") === "") errors.push(required("spec.updateStrategy", ""));
  else if (update.type === "OnDelete" && update.rollingUpdate !== undefined) {
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    errors.push(invalidValue("spec.updateStrategy.rollingUpdate", fieldsOf(update.rollingUpdate), detail));
  } else if (update.type !== "OnDelete" && update.type !== "RollingUpdate") {
    errors.push(invalidValue("spec.updateStrategy", shownStrategy(update), "must be 'RollingUpdate' or 'OnDelete'"));
  }
  const service = (spec.serviceName ?? "") as string;
  errors.push(
    ...retentionErrors(spec),
    ...nonNegative(spec.replicas, "spec.replicas"),
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...nonNegative(fieldsOf(spec.ordinals).start, "spec.ordinals.start"),
    ...(isNew && service !== "" ? isDNS1123Label(service) : []).map((problem) =>
      invalidValue("spec.serviceName", service, problem),
    ),
    ...requiredSelectorErrors(spec, "statefulset"),
  );
  const { selector, template } = spec;
  if (!isObject(selector) || !emptySelector(selector))
    errors.push(...selectedErrors(selector, template, "spec.template"));
  errors.push(
    ...podTemplateErrors(claimedTemplate(spec), "spec.template"),
    ...endlessErrors(template, "spec.template", "StatefulSet"),
  );
  return errors;
}

function fixedErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const spec = cloneJson(fieldsOf(object.spec));
  const before = cloneJson(fieldsOf(old.spec));
  for (const field of updatableOfStatefulSets) {
    delete spec[field];
    delete before[field];
  }
  if (equalJson(spec, before)) return [];
  const names = `'${updatableOfStatefulSets.slice(0, -1).join("', '")}' and '${updatableOfStatefulSets.at(-1)}'`;
  return [forbiddenValue("spec", `updates to statefulset spec for fields other than ${names} are forbidden`)];
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

/** The rules of StatefulSets. */
export const statefulSet: Strategy = {
  warningsOnCreate: historyWarnings,
  warningsOnUpdate: historyWarnings,
  validate: (object) => statefulSetErrors(object, true),
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status"
      ? statefulSetStatusErrors(object, old)
      : [...statefulSetErrors(object, false), ...fixedErrors(object, old)],
};
