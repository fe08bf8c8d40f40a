import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupported,
  validateAnnotations,
  validateLabels,
} from "@kubewright/cel/validation";
import { matchesLabels } from "../../../../request/label-selector.ts";
import { selectorOfObject } from "../../../../request/selector-object.ts";
import { validateLabelSelector } from "../../../../validation/label-selector.ts";
import { fieldsOf, objectsOf } from "../../fields/fields.ts";
import { podAnnotationErrors } from "./pod-annotations.ts";
import { podSpecErrors } from "./pod-spec.ts";
import { profileAnnotationErrors } from "./security-annotations.ts";

/**
 * Checks the template of a workload's Pods.
 *
 * @param template - the template
 * @param path - its path
 * @returns the errors
 */
export function podTemplateErrors(template: Json | undefined, path: string): FieldError[] {
  const { metadata, spec } = fieldsOf(template);
  const { labels, annotations } = fieldsOf(metadata);
  const ephemeral = objectsOf(fieldsOf(spec).ephemeralContainers);
  return [
    ...validateLabels(labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...podAnnotationErrors(template, `${path}.annotations`),
    ...podSpecErrors(fieldsOf(spec), `${path}.spec`),
    ...profileAnnotationErrors(fieldsOf(annotations), fieldsOf(spec), `${path}.spec`),
    ...(ephemeral.length > 0
      ? [forbiddenValue(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template")]
      : []),
  ];
}

/**
 * Reports whether a selector can't be turned into requirements: it has an unknown operator, or a value that isn't valid.
 *
 * @param selector - the selector
 * @returns true if it can't be used
 */
export function isUnreadable(selector: JsonObject): boolean {
  return validateLabelSelector(selector, "").length > 0;
}

/**
 * Checks that a selector selects the Pods of a template.
 *
 * @param selector - the selector; an absent one selects nothing
 * @param template - the template
 * @param path - its path
 * @returns the errors; none for a selector that can't be read
 */
export function selectedErrors(selector: Json | undefined, template: Json | undefined, path: string): FieldError[] {
  const labels = fieldsOf(fieldsOf(template).metadata).labels ?? null;
  if (isObject(selector)) {
    if (isUnreadable(selector)) return [];
    if (matchesLabels(selectorOfObject(selector), fieldsOf(labels) as Record<string, string>)) return [];
  }
  return [invalidValue(`${path}.metadata.labels`, labels, "`selector` does not match template `labels`")];
}

/**
 * Checks that the Pods of a workload run for ever.
 *
 * @param template - the template
 * @param path - its path
 * @param kind - the kind of the workload, for messages
 * @returns the errors
 */
export function endlessErrors(template: Json | undefined, path: string, kind: string): FieldError[] {
  const { restartPolicy = "", activeDeadlineSeconds } = fieldsOf(fieldsOf(template).spec);
  const errors: FieldError[] = [];
  if (restartPolicy !== "Always") {
    errors.push(notSupported(`${path}.spec.restartPolicy`, restartPolicy as string, ["Always"]));
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbiddenValue(`${path}.spec.activeDeadlineSeconds`, detail));
  }
  return errors;
}
