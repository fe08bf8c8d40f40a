import { isObject, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue, notSupported, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { endlessErrors, isUnreadable, podTemplateErrors, selectedErrors } from "../core/pod/pod-template.ts";
import { nameWarnings, podWarnings } from "../core/pod/pod-warnings.ts";
import { amountErrors, amountOf, atMost100 } from "../fields/amounts.ts";
import { fieldsOf, nonNegative } from "../fields/fields.ts";
import { collisionErrors, countErrors } from "./counts.ts";
import { emptySelector, immutableSelector, requiredSelectorErrors } from "./selectors.ts";
import { shownStrategy } from "./update-strategy.ts";

/** Checks the selector and the template of a workload that is scaled. */
function scaledTemplateErrors({ selector, template }: JsonObject): FieldError[] {
  if (isObject(selector) && isUnreadable(selector)) {
    return [invalidValue("spec.selector", selector, "invalid label selector")];
  }
  const errors =
    isObject(selector) && emptySelector(selector) ? [] : selectedErrors(selector, template, "spec.template");
  errors.push(
    ...podTemplateErrors(template, "spec.template"),
    ...endlessErrors(template, "spec.template", "ReplicaSet"),
  );
  return errors;
}

function templateWarnings(object: ApiObject): string[] {
  return podWarnings(fieldsOf(object.spec).template, "spec.template");
}

const workloadWarnings: Pick<Strategy, "warningsOnCreate" | "warningsOnUpdate"> = {
  warningsOnCreate: (object) => [...nameWarnings(object.metadata.name), ...templateWarnings(object)],
  warningsOnUpdate: (object, old, { subresource }) =>
    subresource === "status" || object.metadata.generation === old.metadata.generation ? [] : templateWarnings(object),
};

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

const rollback = "deprecated.deployment.rollback.to";

/** Checks the revision to return to, which version 1 has in an annotation. */
function rollbackErrors({ metadata }: ApiObject): FieldError[] {
  const revision = metadata.annotations?.[rollback];
  return revision === undefined ? [] : nonNegative(Number(revision), "spec.rollback.version");
}

/** Keeps the revision to return to, which belongs to the specification, in a write to the status. */
function keepRollback({ metadata }: ApiObject, old: ApiObject): void {
  const { [rollback]: _given, ...annotations } = metadata.annotations ?? {};
  const revision = old.metadata.annotations?.[rollback];
  const kept = revision === undefined ? annotations : { ...annotations, [rollback]: revision };
  if (Object.keys(kept).length > 0) metadata.annotations = kept;
  else delete metadata.annotations;
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
    ...rollbackErrors(object),
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

const deploymentCounts = ["updatedReplicas", "readyReplicas", "availableReplicas"];

function deploymentStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const status = fieldsOf(object.status);
  const shown = ["observedGeneration", ...deploymentCounts.slice(0, 2), "availableReplicas", "unavailableReplicas"];
  const errors = countErrors(
    status,
    [...shown, "terminatingReplicas", "collisionCount"],
    deploymentCounts,
    "readyReplicas",
  );
  return [...errors, ...collisionErrors(object, old)];
}

/** The rules of Deployments. */
export const deployment: Strategy = {
  ...workloadWarnings,
  prepareForUpdate(object, old, { subresource }) {
    if (subresource === "status") keepRollback(object, old);
  },
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
  return countErrors(
    fieldsOf(object.status),
    [...parts, "terminatingReplicas", "observedGeneration"],
    parts,
    "readyReplicas",
  );
}

/** The rules of ReplicaSets. */
export const replicaSet: Strategy = {
  ...workloadWarnings,
  validate: replicaSetErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status"
      ? replicaStatusErrors(object)
      : [...replicaSetErrors(object), ...immutableSelector(object, old)],
};
