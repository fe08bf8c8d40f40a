import { isObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue, notSupported, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { defaultControllerLabels } from "../../defaults/core.ts";
import { podTemplateErrors } from "../core/pod/pod-template.ts";
import { nameWarnings, podWarnings } from "../core/pod/pod-warnings.ts";
import { fieldsOf, isSet, nonNegative, textOf } from "../fields/fields.ts";
import { replicaStatusErrors } from "./workloads.ts";

const path = "spec.template";

function templateErrors(object: ApiObject): FieldError[] {
  const { selector, template } = fieldsOf(object.spec);
  if (!isObject(template)) return [required(path, "")];
  const wanted = Object.entries(fieldsOf(selector));
  const labels = fieldsOf(template.metadata).labels ?? null;
  const errors: FieldError[] = [];
  if (wanted.length > 0 && wanted.some(([key, value]) => fieldsOf(labels)[key] !== value)) {
    const detail = "`selector` does not match template `labels`";
    errors.push(invalidValue(`${path}.metadata.labels`, labels, detail));
  }
  errors.push(...podTemplateErrors(template, path));
  const { restartPolicy, activeDeadlineSeconds } = fieldsOf(template.spec);
  if (restartPolicy !== "Always") {
    errors.push(notSupported(`${path}.spec.restartPolicy`, textOf(restartPolicy), ["Always"]));
  }
  if (isSet(activeDeadlineSeconds)) {
    const detail = "activeDeadlineSeconds in ReplicationController is not Supported";
    errors.push(forbiddenValue(`${path}.spec.activeDeadlineSeconds`, detail));
  }
  return errors;
}

function controllerErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors = [
    ...nonNegative(spec.minReadySeconds, "spec.minReadySeconds"),
    ...(Object.keys(fieldsOf(spec.selector)).length === 0 ? [required("spec.selector", "")] : []),
    ...(isSet(spec.replicas) ? [] : [required("spec.replicas", "")]),
    ...nonNegative(spec.replicas, "spec.replicas"),
  ];
  return [...errors, ...templateErrors(object)];
}

function templateWarnings(object: ApiObject): string[] {
  return podWarnings(fieldsOf(object.spec).template, path);
}

/** The rules of ReplicationControllers. */
export const replicationController: Strategy = {
  // Defaults that a write of the status can't set, because it lacks the template, appear when the object is read.
  prepareForUpdate: defaultControllerLabels,
  validate: controllerErrors,
  validateUpdate: (object, _old, { subresource }) =>
    subresource === "status" ? replicaStatusErrors(object) : controllerErrors(object),
  warningsOnCreate: (object) => [...nameWarnings(object.metadata.name), ...templateWarnings(object)],
  // The server reads the template before the update here.
  warningsOnUpdate: (object, old, { subresource }) =>
    subresource === "status" || object.metadata.generation === old.metadata.generation ? [] : templateWarnings(old),
};

/** The rules of PodTemplates. */
export const podTemplate: Strategy = {
  validate: (object) => podTemplateErrors(object.template, "template"),
  validateUpdate: (object) => podTemplateErrors(object.template, "template"),
  warningsOnCreate: (object) => podWarnings(object.template, "template"),
  warningsOnUpdate: (object, old) =>
    object.metadata.generation === old.metadata.generation ? [] : podWarnings(object.template, "template"),
};
