import { cloneJson, equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1123Label,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { podTemplateErrors, selectedErrors } from "../core/pod/pod-template.ts";
import { nameWarnings } from "../core/pod/pod-warnings.ts";
import {
  fieldsOf,
  immutable,
  immutableInternal,
  isSet,
  nonNegative,
  numberOf,
  objectsOf,
  textOf,
} from "../fields/fields.ts";
import { domainPrefixedPathErrors } from "../fields/names.ts";
import { countIndexes } from "./indexes.ts";
import { jobStatusErrors } from "./job-status.ts";
import { jobSpecWarnings } from "./job-warnings.ts";
import { podFailurePolicyErrors } from "./pod-failure-policy.ts";

const uidLabel = "batch.kubernetes.io/controller-uid";
const nameLabels = ["job-name", "batch.kubernetes.io/job-name"];
const uidLabels = ["controller-uid", uidLabel];
const highest = 100_000;
const numbers = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];

function isIndexed(spec: JsonObject): boolean {
  return spec.completionMode === "Indexed";
}

function indexedErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { completions, parallelism, maxFailedIndexes: failed } = spec;
  const refuse = (field: string, detail: string): number =>
    errors.push(invalidValue(`${path}.${field}`, spec[field], detail));
  if (!isSet(completions)) errors.push(required(`${path}.completions`, "when completion mode is Indexed"));
  if (numberOf(parallelism) > highest) {
    refuse("parallelism", `must be less than or equal to ${highest} when completion mode is Indexed`);
  }
  if (isSet(completions) && isSet(failed) && numberOf(failed) > numberOf(completions)) {
    refuse("maxFailedIndexes", "must be less than or equal to completions");
  }
  if (numberOf(failed) > highest) refuse("maxFailedIndexes", `must be less than or equal to ${highest}`);
  if (numberOf(completions) > highest && isSet(spec.backoffLimitPerIndex)) {
    const detail = `must be less than or equal to 10000 when completions are above ${highest} and used with backoff limit per index`;
    if (!isSet(failed)) {
      errors.push(required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${highest}`));
    }
    if (numberOf(parallelism) > 10_000) refuse("parallelism", detail);
    if (numberOf(failed) > 10_000) refuse("maxFailedIndexes", detail);
  }
  return errors;
}

function successRuleErrors(rule: JsonObject, completions: number, at: string): FieldError[] {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  const errors: FieldError[] = [];
  if (!isSet(count) && !isSet(indexes)) {
    errors.push(required(at, "at least one of succeededCount or succeededIndexes must be specified"));
  }
  let total = 0;
  if (isSet(indexes)) {
    const text = textOf(indexes);
    if (text.length > 64 * 1024) errors.push(tooLong(`${at}.succeededIndexes`, 64 * 1024));
    const indexCount = countIndexes(text, completions);
    total = indexCount.total;
    if (indexCount.problem !== undefined) {
      const detail = `error parsing succeededIndexes: ${indexCount.problem}`;
      errors.push(invalidValue(`${at}.succeededIndexes`, text, detail));
    }
  }
  if (!isSet(count)) return errors;
  const field = `${at}.succeededCount`;
  const refuse = (limit: number, what: string): number =>
    errors.push(invalidValue(field, count, `must be less than or equal to ${limit} (the number of ${what})`));
  errors.push(...nonNegative(count, field));
  if (numberOf(count) > completions) refuse(completions, "specified completions");
  if (isSet(indexes) && numberOf(count) > total) {
    refuse(total, "indexes in the specified succeededIndexes field");
  }
  return errors;
}

function successPolicyErrors(spec: JsonObject, path: string): FieldError[] {
  if (!isSet(spec.successPolicy)) return [];
  const rules = objectsOf(fieldsOf(spec.successPolicy).rules);
  if (!isIndexed(spec)) {
    const shown = internalForm("batch.SuccessPolicy", spec.successPolicy);
    return [invalidValue(path, shown, "requires indexed completion mode")];
  }
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    const detail = "at least one rules must be specified when the successPolicy is specified";
    errors.push(required(`${path}.rules`, detail));
  }
  if (rules.length > 20) errors.push(tooMany(`${path}.rules`, rules.length, 20));
  const completions = numberOf(spec.completions);
  return [
    ...errors,
    ...rules.flatMap((rule, index) => successRuleErrors(rule, completions, `${path}.rules[${index}]`)),
  ];
}

function replacementErrors(spec: JsonObject, path: string): FieldError[] {
  const policy = spec.podReplacementPolicy;
  const supported = isSet(spec.podFailurePolicy) ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  if (!isSet(policy) || supported.includes(textOf(policy))) return [];
  return [notSupported(`${path}.podReplacementPolicy`, policy, supported)];
}

function restartErrors(spec: JsonObject, path: string): FieldError[] {
  const policy = textOf(fieldsOf(fieldsOf(spec.template).spec).restartPolicy);
  const field = `${path}.template.spec.restartPolicy`;
  if (policy === "" || policy === "Always") return [required(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") return [notSupported(field, policy, ["OnFailure", "Never"])];
  if (!isSet(spec.podFailurePolicy) || policy === "Never") return [];
  return [invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

/**
 * Checks the specification of a Job or of a template for Jobs, without its selector.
 *
 * @param spec - the specification
 * @param path - its path
 * @returns the errors
 */
export function jobSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const errors = numbers.flatMap((field) => nonNegative(spec[field], `${path}.${field}`));
  if (isSet(spec.maxFailedIndexes) && !isSet(spec.backoffLimitPerIndex)) {
    errors.push(required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  }
  if (isSet(spec.managedBy)) {
    const manager = textOf(spec.managedBy);
    errors.push(...domainPrefixedPathErrors(manager, `${path}.managedBy`, Number.POSITIVE_INFINITY));
    if (manager.length > 63) errors.push(tooLong(`${path}.managedBy`, 63));
  }
  const mode = spec.completionMode;
  if (isSet(mode) && mode !== "NonIndexed" && mode !== "Indexed") {
    errors.push(notSupported(`${path}.completionMode`, mode, ["NonIndexed", "Indexed"]));
  }
  if (isIndexed(spec)) errors.push(...indexedErrors(spec, path));
  else if (!isSet(mode) || mode === "NonIndexed") {
    for (const field of ["backoffLimitPerIndex", "maxFailedIndexes"]) {
      if (!isSet(spec[field])) continue;
      errors.push(invalidValue(`${path}.${field}`, spec[field], "requires indexed completion mode"));
    }
  }
  return [
    ...errors,
    ...(isSet(spec.podFailurePolicy) ? podFailurePolicyErrors(spec, `${path}.podFailurePolicy`) : []),
    ...successPolicyErrors(spec, `${path}.successPolicy`),
    ...replacementErrors(spec, path),
    ...podTemplateErrors(spec.template, `${path}.template`),
    ...restartErrors(spec, path),
  ];
}

function selectorErrors(spec: JsonObject): FieldError[] {
  return [
    ...(isSet(spec.selector) ? validateLabelSelector(spec.selector, "spec.selector") : [required("spec.selector", "")]),
    ...selectedErrors(spec.selector, spec.template, "spec.template"),
  ];
}

/** Checks that the labels and the selector are those that the server generates. */
function generatedErrors(job: ApiObject): FieldError[] {
  const spec = fieldsOf(job.spec);
  if (spec.manualSelector === true || !isSet(spec.selector)) return [];
  const labels = fieldsOf(fieldsOf(fieldsOf(spec.template).metadata).labels);
  const expected = [
    ["controller-uid", job.metadata.uid],
    ["job-name", job.metadata.name ?? ""],
    [uidLabel, job.metadata.uid],
    ["batch.kubernetes.io/job-name", job.metadata.name ?? ""],
  ] as [string, string][];
  const path = "spec.template.metadata.labels";
  const errors = expected.flatMap(([key, value]): FieldError[] => {
    const label = labels[key];
    if (label === undefined) return [required(`${path}[${key}]`, `must be '${value}'`)];
    return label === value ? [] : [invalidValue(`${path}[${key}]`, labels, `must be '${value}'`)];
  });
  const template = { metadata: { labels: Object.fromEntries(expected) } };
  if (selectedErrors(spec.selector, template, "").length > 0) {
    errors.push(invalidValue("spec.selector", spec.selector, "`selector` not auto-generated"));
  }
  return errors;
}

function jobErrors(job: ApiObject): FieldError[] {
  const spec = fieldsOf(job.spec);
  const errors = [...jobSpecErrors(spec, "spec"), ...selectorErrors(spec)];
  const completions = numberOf(spec.completions);
  if (!isIndexed(spec) || completions <= 0) return errors;
  // The names of the Pods end with their indexes.
  const name = `${job.metadata.name}-${completions - 1}`;
  if (isDNS1123Label(name).length === 0) return errors;
  const detail = `will not able to create pod with invalid DNS label: ${name}`;
  return [...errors, invalidValue("metadata.name", job.metadata.name, detail)];
}

/** The template with the parts of the new one that can change before a suspended Job starts. */
function withMutableParts(before: JsonObject, now: JsonObject): JsonObject {
  const template = cloneJson(before);
  const [metadata, spec] = [fieldsOf(template.metadata), fieldsOf(template.spec)];
  const take = (to: JsonObject, from: JsonObject, keys: readonly string[]): void => {
    for (const key of keys) {
      const value = from[key];
      if (value === undefined) delete to[key];
      else to[key] = cloneJson(value);
    }
  };
  const next = fieldsOf(now.spec);
  take(metadata, fieldsOf(now.metadata), ["annotations", "labels"]);
  take(spec, next, ["nodeSelector", "tolerations", "schedulingGates"]);
  const affinity = { ...fieldsOf(spec.affinity) };
  take(affinity, fieldsOf(next.affinity), ["nodeAffinity"]);
  if (Object.keys(affinity).length > 0 || isSet(next.affinity)) spec.affinity = affinity;
  else delete spec.affinity;
  for (const key of ["containers", "initContainers"]) {
    for (const [index, container] of objectsOf(spec[key]).entries()) {
      take(container, objectsOf(next[key])[index] ?? {}, ["resources"]);
    }
  }
  return template;
}

function specUpdateErrors(job: ApiObject, old: ApiObject): FieldError[] {
  const [spec, before] = [fieldsOf(job.spec), fieldsOf(old.spec)];
  const status = fieldsOf(old.status);
  const suspended = objectsOf(status.conditions).some(({ type, status: is }) => type === "Suspended" && is === "True");
  const mutable = before.suspend === true && (!isSet(status.startTime) || suspended) && numberOf(status.active) === 0;
  const fixedStruct = (field: string, type: string): FieldError[] =>
    immutableInternal(type, spec[field], before[field], `spec.${field}`);
  const fixed = (field: string): FieldError[] => immutable(spec[field], before[field], `spec.${field}`);
  return [
    ...completionErrors(spec, before),
    ...fixed("selector"),
    ...templateErrors(spec, before, mutable),
    ...fixed("completionMode"),
    ...fixedStruct("podFailurePolicy", "*batch.PodFailurePolicy"),
    ...fixed("backoffLimitPerIndex"),
    ...fixed("managedBy"),
    ...fixedStruct("successPolicy", "*batch.SuccessPolicy"),
  ];
}

/** Before a suspended Job starts, a part of its template may change, and the rest of its metadata isn't checked. */
function templateErrors(spec: JsonObject, before: JsonObject, mutable: boolean): FieldError[] {
  const path = "spec.template";
  if (!mutable) return immutableInternal("core.PodTemplateSpec", spec.template, before.template, path);
  const allowed = withMutableParts(fieldsOf(before.template), fieldsOf(spec.template));
  return immutableInternal("core.PodSpec", fieldsOf(spec.template).spec, allowed.spec, `${path}.spec`);
}

function completionErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const path = "spec.completions";
  if (!isIndexed(spec)) return immutable(spec.completions, before.completions, path);
  if (!isSet(spec.completions) || spec.completions === before.completions) return [];
  if (spec.completions === spec.parallelism) return [];
  return [invalidValue(path, spec.completions, "can only be modified in tandem with spec.parallelism")];
}

/** Adds the labels and the selector that belong to this Job alone. */
function generateSelector(job: ApiObject): void {
  const spec = fieldsOf(job.spec);
  if (spec.manualSelector === true) return;
  const template = fieldsOf(spec.template);
  const metadata = fieldsOf(template.metadata);
  const given = fieldsOf(metadata.labels);
  const generated: Record<string, Json | undefined> = {};
  for (const key of nameLabels) generated[key] = job.metadata.name ?? "";
  for (const key of uidLabels) generated[key] = job.metadata.uid;
  const labels = sorted({ ...generated, ...given }) as { [key: string]: string };
  const own = job.metadata.labels;
  // By default, a Job has the labels of its template, and shares later additions.
  if (own !== undefined && Object.keys(own).length > 0 && equalJson(own, given)) job.metadata.labels = { ...labels };
  spec.template = { ...template, metadata: { ...metadata, labels } };
  const selector = fieldsOf(spec.selector);
  const matchLabels = { [uidLabel]: job.metadata.uid as string, ...fieldsOf(selector.matchLabels) };
  spec.selector = { ...selector, matchLabels: sorted(matchLabels) };
}

/** Returns the object with its keys in order, as the server shows maps. */
function sorted(object: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))) as JsonObject;
}

/** Removes the scheduling of Jobs in groups, a feature that is off. */
export function dropScheduling(spec: JsonObject): void {
  delete spec.scheduling;
}

/** The rules of Jobs. */
export const job: Strategy = {
  prepareForCreate(object) {
    generateSelector(object);
    dropScheduling(fieldsOf(object.spec));
  },
  prepareForUpdate(object) {
    dropScheduling(fieldsOf(object.spec));
  },
  canonicalize(object) {
    // Each time the server reads a Job without labels, it gets those of its template.
    if (Object.keys(object.metadata.labels ?? {}).length > 0) return;
    const { labels } = fieldsOf(fieldsOf(fieldsOf(object.spec).template).metadata);
    if (isSet(labels)) object.metadata.labels = { ...fieldsOf(labels) } as Record<string, string>;
  },
  validate: (object) => [...generatedErrors(object), ...jobErrors(object)],
  validateUpdate(object, old, { subresource }) {
    if (subresource === "status") return jobStatusErrors(object, old);
    return [...jobErrors(object), ...specUpdateErrors(object, old)];
  },
  warningsOnCreate: (object) => [
    ...nameWarnings(object.metadata.name),
    ...jobSpecWarnings(fieldsOf(object.spec), "spec"),
  ],
  warningsOnDelete({ propagationPolicy, orphanDependents }) {
    if (propagationPolicy !== undefined || orphanDependents !== undefined) return [];
    const choice = "set propagationPolicy=Background to remove them or set propagationPolicy=Orphan";
    return [`child pods are preserved by default when jobs are deleted; ${choice} to suppress this warning`];
  },
  warningsOnUpdate: (object, old, { subresource }) =>
    subresource === "status" || object.metadata.generation === old.metadata.generation
      ? []
      : jobSpecWarnings(fieldsOf(object.spec), "spec"),
};
