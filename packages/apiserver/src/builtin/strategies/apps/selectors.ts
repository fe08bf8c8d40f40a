import { equalJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, required } from "@kubewright/cel/validation";
import type { ApiObject } from "../../../model/resource.ts";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { fieldsOf } from "../fields/fields.ts";

/** Reports whether a selector selects everything. */
export function emptySelector(selector: Json | undefined): boolean {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  return Object.keys(fieldsOf(matchLabels)).length === 0 && ((matchExpressions ?? []) as Json[]).length === 0;
}

/** A selector as Go encodes the struct. */
export function shownSelector(selector: Json | undefined): Json {
  return isObject(selector) ? selector : null;
}

/** Checks the selector of a workload, which must be there and can't be empty. */
export function requiredSelectorErrors(spec: JsonObject, kind: string): FieldError[] {
  if (!isObject(spec.selector)) return [required("spec.selector", "")];
  const errors = validateLabelSelector(spec.selector, "spec.selector");
  if (emptySelector(spec.selector)) {
    errors.push(invalidValue("spec.selector", shownSelector(spec.selector), `empty selector is invalid for ${kind}`));
  }
  return errors;
}

/** Checks that an update keeps the selector. */
export function immutableSelector(object: ApiObject, old: ApiObject): FieldError[] {
  const selector = fieldsOf(object.spec).selector;
  if (equalJson(selector, fieldsOf(old.spec).selector)) return [];
  return [invalidValue("spec.selector", shownSelector(selector), "field is immutable")];
}
