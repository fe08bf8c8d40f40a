import { cloneJson, copyKey, equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue, required } from "@kubewright/cel/validation";
import { timestamp } from "../../../../model/metadata.ts";
import type { ApiObject, Strategy } from "../../../../model/resource.ts";
import { internalForm } from "../../../codec/internal-form.ts";
import { defaultPodResources } from "../../../defaults/pod-resources.ts";
import { changes } from "../../fields/changes.ts";
import { fieldsOf, isSet, numberOf, objectsOf, textOf } from "../../fields/fields.ts";
import { profileOfAnnotation } from "../container/app-armor.ts";
import { podOnlyErrors } from "../container/containers.ts";
import { ephemeralContainerChangeErrors } from "../container/ephemeral-containers.ts";
import { applyLabelKeys } from "../node/label-keys.ts";
import { tolerationErrors } from "../node/tolerations.ts";
import { dropDisabledStatusFields } from "./disabled-fields.ts";
import { isMirrorPod, podAnnotationChangeErrors, podAnnotationErrors } from "./pod-annotations.ts";
import { podSpecErrors } from "./pod-spec.ts";
import { keepObservedGenerations, podStatusErrors, podStatusWarnings } from "./pod-status.ts";
import { prepareEphemeralContainers, prepareResize, resizeErrors } from "./pod-subresources.ts";
import { nameWarnings, podWarnings } from "./pod-warnings.ts";
import { qualityOfService } from "./quality-of-service.ts";
import { profileAnnotationErrors } from "./security-annotations.ts";

const updatable =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** The new specification with the old values of the fields that an update may change. */
function withUpdatable(spec: JsonObject, before: JsonObject): JsonObject {
  const kept = cloneJson(spec);
  for (const key of ["containers", "initContainers"]) {
    for (const [index, container] of objectsOf(kept[key]).entries()) {
      copyKey(container, objectsOf(before[key])[index] as JsonObject, "image");
    }
  }
  for (const key of ["activeDeadlineSeconds", "schedulingGates", "tolerations"]) copyKey(kept, before, key);
  const grace = "terminationGracePeriodSeconds";
  if (numberOf(before[grace]) < 0 && numberOf(spec[grace]) === 1) copyKey(kept, before, grace);
  return kept;
}

/** Checks that only Pods with a service account get its tokens. */
function tokenErrors(spec: JsonObject): FieldError[] {
  if (textOf(spec.serviceAccountName) !== "") return [];
  return objectsOf(spec.volumes).flatMap((volume, index) =>
    objectsOf(fieldsOf(volume.projected).sources).flatMap((source, place) => {
      const path = `spec.volumes[${index}].projected.sources[${place}].serviceAccountToken`;
      const detail = "must not be specified when serviceAccountName is not set";
      return isSet(source.serviceAccountToken) ? [forbiddenValue(path, detail)] : [];
    }),
  );
}

function podErrors(pod: ApiObject): FieldError[] {
  const spec = (pod.spec ?? {}) as JsonObject;
  return [
    ...podAnnotationErrors(pod as JsonObject, "metadata.annotations"),
    ...podSpecErrors(spec, "spec", fieldsOf(pod.metadata as JsonObject)),
    ...tokenErrors(spec),
    ...podOnlyErrors(spec),
  ];
}

const deadlinePath = "spec.activeDeadlineSeconds";

/** Checks the time that a Pod may run: an update can shorten it, but not remove it. */
function deadlineErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [deadline, old] = [spec.activeDeadlineSeconds, before.activeDeadlineSeconds];
  const path = deadlinePath;
  if (!isSet(deadline)) {
    return isSet(old) ? [invalidValue(path, null, "must not update from a positive integer to nil value")] : [];
  }
  if (numberOf(deadline) < 0 || numberOf(deadline) >= 2 ** 31) {
    return [invalidValue(path, deadline, "must be between 0 and 2147483647, inclusive")];
  }
  if (!isSet(old) || numberOf(deadline) <= numberOf(old)) return [];
  return [invalidValue(path, deadline, "must be less than or equal to previous value")];
}

/** Checks that tolerations stay, apart from their times. */
function keptTolerationErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const timeless = (value: JsonObject): Json => {
    const { tolerationSeconds: _seconds, ...rest } = value;
    return rest;
  };
  const now = objectsOf(spec.tolerations).map(timeless);
  const kept = objectsOf(before.tolerations).every((one) => now.some((other) => equalJson(other, timeless(one))));
  // The server reads the tolerations once more here.
  if (kept) return tolerationErrors(objectsOf(spec.tolerations), (index) => `spec.tolerations[${index}]`);
  const detail = "existing toleration can not be modified except its tolerationSeconds";
  return [forbiddenValue("spec.tolerations", detail)];
}

/** Checks the gates of a Pod, which an update can only remove. */
function gateErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  // The server shows a name once, at its last place.
  const added = new Map(objectsOf(spec.schedulingGates).map(({ name }, index) => [name, index]));
  for (const { name } of objectsOf(before.schedulingGates)) added.delete(name);
  return [...added].map(([name, index]) => {
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return forbiddenValue(`spec.schedulingGates[${index}].name`, detail);
  });
}

/** Checks the labels of nodes that a gated Pod selects: an update can only add some. */
function nodeSelectorUpdateErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [now, old] = [fieldsOf(spec.nodeSelector), fieldsOf(before.nodeSelector)];
  if (Object.entries(old).every(([key, value]) => now[key] === value)) return [];
  const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [invalidValue("spec.nodeSelector", spec.nodeSelector ?? null, detail)];
}

/** Checks the images, which the server does for updates once more. */
function imageErrors(containers: readonly JsonObject[], path: string): FieldError[] {
  return containers.flatMap((container, index) => {
    const image = textOf(container.image);
    const at = `${path}[${index}].image`;
    if (image === "") return [required(at, "")];
    return image === image.trim() ? [] : [invalidValue(at, image, "must not have leading or trailing whitespace")];
  });
}

function updateErrors(pod: ApiObject, old: ApiObject): FieldError[] {
  const spec = pod.spec as JsonObject;
  const before = old.spec as JsonObject;
  const errors: FieldError[] = [];
  for (const key of ["containers", "initContainers"]) {
    const containers = objectsOf(spec[key]);
    if (containers.length !== objectsOf(before[key]).length) {
      return [...errors, forbiddenValue(`spec.${key}`, "pod updates may not add or remove containers")];
    }
    errors.push(...imageErrors(containers, `spec.${key}`));
  }
  errors.push(...deadlineErrors(spec, before));
  if (errors.some(({ field }) => field === deadlinePath) && isSet(spec.activeDeadlineSeconds)) return errors;
  errors.push(...keptTolerationErrors(spec, before), ...gateErrors(spec, before));
  const now = withUpdatable(spec, before);
  if (objectsOf(before.schedulingGates).length > 0) {
    errors.push(...nodeSelectorUpdateErrors(spec, before), ...nodeAffinityUpdateErrors(spec, before));
    copyKey(now, before, "nodeSelector");
    keepNodeAffinity(now, before);
  }
  if (!equalJson(now, before)) {
    errors.push(forbiddenValue("spec", `${updatable}\n${changes("core.PodSpec", before, now)}`));
  }
  return errors;
}

/** Takes the affinity to nodes of the old specification over. */
function keepNodeAffinity(now: JsonObject, before: JsonObject): void {
  const old = fieldsOf(before.affinity).nodeAffinity;
  const affinity = fieldsOf(now.affinity);
  if (equalJson(affinity.nodeAffinity ?? null, old ?? null)) return;
  const hasOthers = isSet(affinity.podAffinity) || isSet(affinity.podAntiAffinity);
  if (isSet(now.affinity) && !isSet(before.affinity) && !hasOthers) delete now.affinity;
  else now.affinity = { ...affinity, ...(isSet(old) ? { nodeAffinity: old } : { nodeAffinity: null }) };
}

/** Checks the nodes that a gated Pod requires: an update can only add conditions. */
function nodeAffinityUpdateErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const termsOf = (of: JsonObject): Json | undefined =>
    fieldsOf(fieldsOf(fieldsOf(of.affinity).nodeAffinity)[required]).nodeSelectorTerms;
  const [terms, old] = [objectsOf(termsOf(spec)), objectsOf(termsOf(before))];
  const path = `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms`;
  if (old.length === 0) return [];
  if (old.length !== terms.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    return [invalidValue(path, internalForm("[]core.NodeSelectorTerm", termsOf(spec)), detail)];
  }
  return terms.flatMap((term, index) => {
    if (onlyAdds(term, old[index] as JsonObject)) return [];
    const detail = "only additions are allowed (no mutations or deletions)";
    return [invalidValue(`${path}[${index}]`, internalForm("core.NodeSelectorTerm", term), detail)];
  });
}

function onlyAdds(term: JsonObject, before: JsonObject): boolean {
  const keys = ["matchExpressions", "matchFields"];
  const isEmpty = (one: JsonObject): boolean => keys.every((key) => objectsOf(one[key]).length === 0);
  if (isEmpty(before)) return isEmpty(term);
  return keys.every((key) => {
    const old = objectsOf(before[key]);
    return equalJson(objectsOf(term[key]).slice(0, old.length), old);
  });
}

/** The condition of a Pod that isn't scheduled before its gates are removed. */
function gatedCondition(now: number): JsonObject {
  return {
    type: "PodScheduled",
    status: "False",
    lastProbeTime: null,
    lastTransitionTime: timestamp(now),
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
}

/** Turns annotations of older versions into fields. */
function applyAppArmorAnnotations(pod: ApiObject, warn: (message: string) => void): void {
  const spec = fieldsOf(pod.spec);
  if (fieldsOf(spec.os).name === "windows") return;
  const ofPod = fieldsOf(spec.securityContext).appArmorProfile;
  for (const kind of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const container of objectsOf(spec[kind])) {
      const key = `container.apparmor.security.beta.kubernetes.io/${textOf(container.name)}`;
      const annotation = pod.metadata.annotations?.[key];
      if (annotation === undefined || isSet(fieldsOf(container.securityContext).appArmorProfile)) continue;
      const profile = profileOfAnnotation(annotation);
      if (profile !== undefined && equalJson(profile, ofPod ?? null)) continue;
      if (profile !== undefined) {
        container.securityContext = { ...fieldsOf(container.securityContext), appArmorProfile: profile };
      }
      warn(`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`);
    }
  }
}

/** Copies a field that an update leaves out. */
function copyMissing(object: JsonObject, old: JsonObject, key: string): void {
  if (!isSet(object[key])) copyKey(object, old, key);
}

/** The rules of Pods. */
export const pod: Strategy = {
  prepareForCreate(object, { now, warn }) {
    const spec = fieldsOf(object.spec);
    defaultPodResources(spec);
    object.status = {
      phase: "Pending",
      qosClass: qualityOfService(spec),
      ...(objectsOf(spec.schedulingGates).length > 0 ? { conditions: [gatedCondition(now)] } : {}),
    };
    applyLabelKeys(spec, object.metadata.labels);
    applyAppArmorAnnotations(object, warn);
  },
  prepareForUpdate(object, old, { subresource }) {
    if (subresource === "status") {
      delete object.metadata.deletionTimestamp;
      if (old.metadata.ownerReferences === undefined) delete object.metadata.ownerReferences;
      else object.metadata.ownerReferences = cloneJson(old.metadata.ownerReferences);
      const status = (object.status ?? {}) as JsonObject;
      if (!status.qosClass) object.status = { ...status, qosClass: (old.status as JsonObject).qosClass ?? "" };
      keepObservedGenerations(fieldsOf(object.status), fieldsOf(old.status));
      for (const key of ["resourceClaimStatuses", "extendedResourceClaimStatus"]) {
        copyMissing(fieldsOf(object.status), fieldsOf(old.status), key);
      }
      dropDisabledStatusFields(fieldsOf(object.status));
    }
    // Old clients don't know the resources of Pods, and leave them out.
    if (subresource === "") copyMissing(fieldsOf(object.spec), fieldsOf(old.spec), "resources");
    if (subresource === "ephemeralcontainers") prepareEphemeralContainers(object, old);
    if (subresource === "resize") prepareResize(object, old);
  },
  validate(object) {
    const { ephemeralContainers, schedulingGates, nodeName } = fieldsOf(object.spec);
    const errors = podErrors(object);
    if (objectsOf(ephemeralContainers).length > 0) {
      errors.push(forbiddenValue("spec.ephemeralContainers", "cannot be set on create"));
    }
    if (objectsOf(schedulingGates).length > 0 && nodeName) {
      errors.push(forbiddenValue("spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
    }
    return [
      ...errors,
      ...profileAnnotationErrors(fieldsOf(object.metadata.annotations), fieldsOf(object.spec), "spec"),
    ];
  },
  validateUpdate(object, old, { subresource }) {
    if (subresource === "status") return podStatusErrors(object, old);
    if (subresource === "resize") return resizeErrors(object, old, podErrors(object));
    const errors = [...podErrors(object), ...podAnnotationChangeErrors(object, old, "metadata.annotations")];
    if (subresource !== "ephemeralcontainers") return [...errors, ...updateErrors(object, old)];
    if (isMirrorPod(old)) return [forbiddenValue("[]", "static pods do not support ephemeral containers")];
    return [...errors, ...ephemeralContainerChangeErrors(object as JsonObject, old as JsonObject)];
  },
  warningsOnCreate: (object) => [
    ...nameWarnings(object.metadata.name, "the Pod's hostname"),
    ...podWarnings(object as JsonObject, ""),
  ],
  warningsOnUpdate: (object, _old, { subresource }) => (subresource === "status" ? podStatusWarnings(object) : []),
  checkGracefulDelete(object, options) {
    const spec = object.spec as JsonObject;
    const phase = (object.status as JsonObject | undefined)?.phase;
    let period = options.gracePeriodSeconds ?? (spec.terminationGracePeriodSeconds as number | undefined) ?? 0;
    if (!spec.nodeName || phase === "Failed" || phase === "Succeeded") period = 0;
    options.gracePeriodSeconds = period < 0 ? 1 : period;
    return true;
  },
};
