import { isObject, type Json, type JsonObject } from "../../../json/json.ts";
import { cloneJson, equalJson } from "../../../json/values.ts";
import { validateLabelSelector } from "../../../metadata/label-selector.ts";
import type { ApiObject, Strategy } from "../../../registry/resource.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { forbiddenValue, invalidValue, notSupported, required } from "../../../request/paths.ts";
import { isDNS1123Label, regexError } from "../../../validation/name-rules.ts";
import { endlessErrors, fieldsOf, podTemplateErrors, selectedErrors } from "../core/pod-template.ts";

const negative = "must be greater than or equal to 0";

function nonNegative(value: Json | undefined, path: string): FieldError[] {
  return typeof value === "number" && value < 0 ? [invalidValue(path, value, negative)] : [];
}

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

function amountErrors(amount: Json | undefined, path: string): FieldError[] {
  if (typeof amount !== "string") return nonNegative(amount, path);
  if (/^[0-9]+%$/.test(amount)) return [];
  const message = "a valid percent string must be a numeric string followed by an ending '%'";
  return [invalidValue(path, amount, regexError(message, "[0-9]+%", "1%", "93%"))];
}

function percentOf(amount: Json | undefined): number | undefined {
  return typeof amount === "string" && /^[0-9]+%$/.test(amount) ? Number(amount.slice(0, -1)) : undefined;
}

function atMost100(amount: Json | undefined, path: string): FieldError[] {
  if ((percentOf(amount) ?? 0) <= 100) return [];
  return [invalidValue(path, amount as string, "must not be greater than 100%")];
}

function amountOf(amount: Json | undefined): number {
  return percentOf(amount) ?? (typeof amount === "number" ? amount : 0);
}

function strategyErrors(spec: JsonObject): FieldError[] {
  const strategy = fieldsOf(spec.strategy);
  const path = "spec.strategy";
  if (strategy.type === "Recreate") {
    if (strategy.rollingUpdate === undefined) return [];
    return [forbiddenValue(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")];
  }
  if (strategy.type !== "RollingUpdate") return [notSupported(path, strategy, ["Recreate", "RollingUpdate"])];
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

/** The rules of Deployments. */
export const deployment: Strategy = {
  validate: deploymentErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? [] : [...deploymentErrors(object), ...immutableSelector(object, old)],
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

/** The rules of ReplicaSets. */
export const replicaSet: Strategy = {
  validate: replicaSetErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? [] : [...replicaSetErrors(object), ...immutableSelector(object, old)],
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
    errors.push(notSupported("spec.updateStrategy", update, ["OnDelete", "RollingUpdate"]));
  }
  return [...errors, ...nonNegative(spec.revisionHistoryLimit, "spec.revisionHistoryLimit")];
}

/** The rules of DaemonSets. */
export const daemonSet: Strategy = {
  validate: daemonSetErrors,
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? [] : [...immutableSelector(object, old), ...daemonSetErrors(object)],
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
    errors.push(invalidValue("spec.updateStrategy", update, "must be 'RollingUpdate' or 'OnDelete'"));
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

/** The rules of StatefulSets. */
export const statefulSet: Strategy = {
  validate: (object) => statefulSetErrors(object, true),
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? [] : [...statefulSetErrors(object, false), ...fixedErrors(object, old)],
};
