import { cloneJson, equalJson, isObject, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  notSupported,
  required,
  validateAnnotations,
  validateLabels,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { podAnnotationErrors } from "../core/pod/pod-annotations.ts";
import { endlessErrors, isUnreadable, podTemplateErrors, selectedErrors } from "../core/pod/pod-template.ts";
import { podWarnings } from "../core/pod/pod-warnings.ts";
import { claimSpecErrors, claimSpecWarnings } from "../core/volume/claim-spec.ts";
import { fieldsOf, isSet, nonNegative, numberOf, objectsOf, textOf } from "../fields/fields.ts";
import { collisionErrors, countErrors } from "./counts.ts";
import { emptySelector, requiredSelectorErrors } from "./selectors.ts";
import { shownPartition } from "./update-strategy.ts";

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
  return nonNegative(fieldsOf(update.rollingUpdate).partition, `${rolling}.partition`);
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

function templateWarnings(object: ApiObject): string[] {
  return podWarnings(fieldsOf(object.spec).template, "spec.template");
}

/** Finds the warnings for the claims. Their path depends on the write. */
function claimWarnings(object: ApiObject, end: string): string[] {
  return objectsOf(fieldsOf(object.spec).volumeClaimTemplates).flatMap((claim, index) =>
    claimSpecWarnings(fieldsOf(claim.spec), `spec.volumeClaimTemplates[${index}]${end}`),
  );
}

/** Removes a field that the server doesn't support yet. */
function dropMaxUnavailable(object: ApiObject): void {
  delete fieldsOf(fieldsOf(fieldsOf(object.spec).updateStrategy).rollingUpdate).maxUnavailable;
}

/** The rules of StatefulSets. */
export const statefulSet: Strategy = {
  prepareForCreate: dropMaxUnavailable,
  prepareForUpdate(object, _old, { subresource }) {
    if (subresource === "") dropMaxUnavailable(object);
  },
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
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status"
      ? statefulSetStatusErrors(object, old)
      : [...statefulSetErrors(object, false), ...fixedErrors(object, old)],
};
