import { equalJson, isObject, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, notSupported, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy, StrategyContext } from "../../../model/resource.ts";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { endlessErrors, podTemplateErrors, selectedErrors } from "../core/pod/pod-template.ts";
import { podWarnings } from "../core/pod/pod-warnings.ts";
import { amountErrors, amountOf, atMost100 } from "../fields/amounts.ts";
import { fieldsOf, isSet, nonNegative } from "../fields/fields.ts";
import { collisionErrors } from "./counts.ts";
import { emptySelector, immutableSelector, shownSelector } from "./selectors.ts";
import { shownStrategy } from "./update-strategy.ts";

/** Checks how Pods are replaced: a rolling update has either more Pods for some time, or less. */
function updateStrategyErrors(update: JsonObject): FieldError[] {
  const path = "spec.updateStrategy";
  if (update.type === "OnDelete") return [];
  if (update.type !== "RollingUpdate")
    return [notSupported(path, shownStrategy(update), ["RollingUpdate", "OnDelete"])];
  if (!isSet(update.rollingUpdate)) return [required(`${path}.rollingUpdate`, "")];
  const { maxUnavailable, maxSurge } = fieldsOf(update.rollingUpdate);
  const [unavailable, surge] = [`${path}.rollingUpdate.maxUnavailable`, `${path}.rollingUpdate.maxSurge`];
  const errors = [
    ...amountErrors(maxUnavailable, unavailable),
    ...amountErrors(maxSurge, surge),
    ...atMost100(maxUnavailable, unavailable),
    ...atMost100(maxSurge, surge),
  ];
  const [hasUnavailable, hasSurge] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  if (hasUnavailable && hasSurge) {
    errors.push(invalidValue(surge, maxSurge, "may not be set when maxUnavailable is non-zero"));
  } else if (!hasUnavailable && !hasSurge) errors.push(required(unavailable, "cannot be 0 when maxSurge is 0"));
  return errors;
}

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
  errors.push(...updateStrategyErrors(fieldsOf(spec.updateStrategy)));
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

function isSameTemplate(object: ApiObject, old: ApiObject): boolean {
  return equalJson(fieldsOf(object.spec).template ?? null, fieldsOf(old.spec).template ?? null);
}

function templateWarnings(object: ApiObject): string[] {
  return podWarnings(fieldsOf(object.spec).template, "spec.template");
}

function templateGenerationOf(object: ApiObject): number {
  return Number(object.metadata.annotations?.[templateGeneration]) || 0;
}

/**
 * Counts the changes of the template in an annotation, in which version 1 shows a field of older versions. Clients choose
 * the first number.
 */
function setTemplateGeneration(object: ApiObject, old?: ApiObject): void {
  const generation =
    old === undefined
      ? Math.max(1, templateGenerationOf(object))
      : templateGenerationOf(old) + (isSameTemplate(object, old) ? 0 : 1);
  object.metadata.annotations = { ...object.metadata.annotations, [templateGeneration]: String(generation) };
}

function setTemplateGenerationOfUpdate(object: ApiObject, old: ApiObject, { subresource }: StrategyContext): void {
  // A write to the status can't change the template.
  setTemplateGeneration(object, subresource === "" ? old : { ...old, spec: object.spec ?? null });
}

/** The rules of DaemonSets. */
export const daemonSet: Strategy = {
  externalAnnotations: [templateGeneration],
  prepareForCreate: (object) => setTemplateGeneration(object),
  prepareForUpdate: setTemplateGenerationOfUpdate,
  warningsOnCreate: templateWarnings,
  warningsOnUpdate: (object, old, { subresource }) =>
    subresource === "status" || isSameTemplate(object, old) ? [] : templateWarnings(object),
  validate: daemonSetErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status"
      ? daemonSetStatusErrors(object, old)
      : [...immutableSelector(object, old), ...daemonSetErrors(object)],
};
