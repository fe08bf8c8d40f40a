// Writes to a part of a Pod: its ephemeral containers, or the resources of its containers.
import { cloneJson, copyKey, equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue } from "@kubewright/cel/validation";
import type { ApiObject } from "../../../../model/resource.ts";
import { defaultPodResources } from "../../../defaults/pod-resources.ts";
import { fieldsOf, isSet, objectsOf, textOf } from "../../fields/fields.ts";
import { isMirrorPod } from "./pod-annotations.ts";
import { qualityOfService } from "./quality-of-service.ts";

const keptMetadata = ["deletionTimestamp", "selfLink", "labels", "annotations", "finalizers", "ownerReferences"];
const changed = ["cpu", "memory"];

/** Takes all but the specification over from the stored Pod, and counts the change of the specification. */
function keepTheRest(object: ApiObject, old: ApiObject, spec: JsonObject): void {
  for (const key of keptMetadata) {
    copyKey(object.metadata as JsonObject, cloneJson(old.metadata as JsonObject), key);
  }
  object.spec = spec;
  copyKey(object, cloneJson(old), "status");
  const generation = old.metadata.generation ?? 0;
  object.metadata.generation = equalJson(spec, old.spec as JsonObject) ? generation : generation + 1;
}

/** Prepares a write to the ephemeral containers of a Pod. */
export function prepareEphemeralContainers(object: ApiObject, old: ApiObject): void {
  const spec = cloneJson(fieldsOf(old.spec));
  copyKey(spec, fieldsOf(object.spec), "ephemeralContainers");
  keepTheRest(object, old, spec);
}

/** The stored containers with the resources of the new ones; the new ones themselves if they have other names. */
function resized(containers: readonly JsonObject[], before: readonly JsonObject[]): JsonObject[] {
  if (containers.some(({ name }, index) => name !== before[index]?.name)) return [...containers];
  return before.map((container, index) => {
    const next = cloneJson(container);
    for (const key of ["resources", "resizePolicy"]) copyKey(next, containers[index] as JsonObject, key);
    return next;
  });
}

/** Prepares a write to the resources of a Pod and its containers. Other containers than the stored ones are refused later. */
export function prepareResize(object: ApiObject, old: ApiObject): void {
  const [now, before] = [fieldsOf(object.spec), fieldsOf(old.spec)];
  const kinds = ["containers", "initContainers"];
  if (kinds.some((kind) => objectsOf(now[kind]).length !== objectsOf(before[kind]).length)) return;
  const spec = cloneJson(before);
  if (isSet(now.resources)) copyKey(spec, now, "resources");
  for (const kind of kinds) {
    if (isSet(spec[kind])) spec[kind] = resized(objectsOf(now[kind]), objectsOf(before[kind]));
  }
  defaultPodResources(spec);
  keepTheRest(object, old, spec);
}

function withoutEmpty(resources: JsonObject): JsonObject {
  const used = Object.entries(resources).filter(([, value]) => Object.keys(fieldsOf(value)).length > 0);
  return Object.fromEntries(used);
}

/** The resources with the old amounts of those that can change. Empty and absent amounts are the same. */
function withOldAmounts(resources: JsonObject, before: JsonObject): JsonObject {
  const of = (key: string): JsonObject => {
    const amounts = { ...fieldsOf(resources[key]) };
    for (const name of changed) copyKey(amounts, fieldsOf(before[key]), name);
    return amounts;
  };
  return withoutEmpty({ limits: of("limits"), requests: of("requests") });
}

function isRemoved(now: Json | undefined, before: Json | undefined): boolean {
  return Object.keys(fieldsOf(before)).some((name) => fieldsOf(now)[name] === undefined);
}

function removedErrors(now: JsonObject, before: JsonObject, path: string, what: string): FieldError[] {
  return ["requests", "limits"].flatMap((key) =>
    isRemoved(now[key], before[key]) ? [forbiddenValue(`${path}.${key}`, `${what} ${key} cannot be removed`)] : [],
  );
}

function podLevelErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const [resources, old] = [fieldsOf(now.resources), fieldsOf(before.resources)];
  const path = "spec.resources";
  if (isSet(before.resources) && !isSet(now.resources)) {
    return [forbiddenValue(path, "pod-level resources cannot be removed")];
  }
  const errors = removedErrors(resources, old, path, "pod-level resource");
  const isSame = equalJson(withOldAmounts(resources, old), withOldAmounts(old, old));
  if (isSame && equalJson(resources.claims ?? null, old.claims ?? null)) return errors;
  return [...errors, forbiddenValue("spec", "only cpu and memory resources are mutable at pod-level")];
}

function orderErrors(now: JsonObject, before: JsonObject): FieldError[] {
  return ["containers", "initContainers"].flatMap((kind) => {
    const [containers, old] = [objectsOf(now[kind]), objectsOf(before[kind])];
    if (containers.length !== old.length) {
      return [forbiddenValue(`spec.${kind}`, `${kind} may not be added or removed on resize`)];
    }
    return old.flatMap(({ name }, index) => {
      if (containers[index]?.name === name) return [];
      return [forbiddenValue(`spec.${kind}[${index}].name`, `${kind} may not be renamed or reordered on resize`)];
    });
  });
}

/** Reports whether containers differ in more than the amounts that can change. */
function hasOtherChanges(container: JsonObject, old: JsonObject): boolean {
  const [resources, before] = [fieldsOf(container.resources), fieldsOf(old.resources)];
  if (!equalJson(withOldAmounts(resources, before), withoutEmpty(before))) return true;
  if (!equalJson(resources.claims ?? null, before.claims ?? null)) return true;
  return !equalJson({ ...container, resources: {} }, { ...old, resources: {} });
}

function containerErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const [containers, initContainers] = [objectsOf(now.containers), objectsOf(now.initContainers)];
  const [old, oldInit] = [objectsOf(before.containers), objectsOf(before.initContainers)];
  const removed = (kind: string, from: readonly JsonObject[], to: readonly JsonObject[]): FieldError[] =>
    from.flatMap(({ resources }, index) => {
      const path = `spec.${kind}[${index}].resources`;
      return removedErrors(fieldsOf(to[index]?.resources), fieldsOf(resources), path, "resource");
    });
  const errors = [
    ...removed("initContainers", oldInit, initContainers),
    ...removed("containers", old, containers),
    ...containers
      .filter((container, index) => hasOtherChanges(container, old[index] as JsonObject))
      .map(() => forbiddenValue("spec", "only cpu and memory resources are mutable")),
  ];
  for (const [index, container] of initContainers.entries()) {
    const path = `spec.initContainers[${index}]`;
    const previous = oldInit[index] as JsonObject;
    if (hasOtherChanges(container, previous)) {
      const detail = "only cpu and memory resources for init or sidecar containers are mutable";
      errors.push(forbiddenValue(path, detail));
    }
    if (container.restartPolicy === "Always" || equalJson(container, previous)) continue;
    const restarts = objectsOf(container.resizePolicy).filter((one) => one.restartPolicy === "RestartContainer");
    const detail = "non-sidecar init containers with a resize policy of RestartContainer cannot be resized";
    errors.push(...restarts.map(() => forbiddenValue(path, detail)));
  }
  return errors;
}

/** Reports whether the node of a Pod shows the resources of running containers, without which it can't change them. */
function canResize({ status }: ApiObject): boolean {
  const running = objectsOf(fieldsOf(status).containerStatuses).find(({ state }) => isSet(fieldsOf(state).running));
  return running === undefined || isSet(running.resources);
}

function hasAmounts({ resources }: JsonObject): boolean {
  return Object.keys(withoutEmpty({ ...fieldsOf(resources), claims: {} })).length > 0;
}

/**
 * Checks a change of the resources of a Pod and its containers.
 *
 * @param object - the new Pod
 * @param old - the stored Pod
 * @param podErrors - the errors of the new Pod itself
 * @returns the errors
 */
export function resizeErrors(object: ApiObject, old: ApiObject, podErrors: readonly FieldError[]): FieldError[] {
  const [now, before] = [fieldsOf(object.spec), fieldsOf(old.spec)];
  if (isMirrorPod(old)) return [forbiddenValue("[]", "static pods cannot be resized")];
  if (fieldsOf(before.os).name === "windows") return [forbiddenValue("[]", "windows pods cannot be resized")];
  const errors = [...podErrors];
  const [qosClass, oldClass] = [object, old].map(({ status }) => textOf(fieldsOf(status).qosClass));
  if ((oldClass || qualityOfService(before)) !== qualityOfService(now)) {
    errors.push(invalidValue("spec", qosClass, "Pod QOS Class may not change as a result of resizing"));
  }
  if (!canResize(old)) errors.push(forbiddenValue("spec", "Pod running on node without support for resize"));
  if (hasAmounts(before) || hasAmounts(now)) errors.push(...podLevelErrors(now, before));
  const misplaced = orderErrors(now, before);
  if (misplaced.length > 0) return [...errors, ...misplaced];
  return [...errors, ...containerErrors(now, before)];
}
