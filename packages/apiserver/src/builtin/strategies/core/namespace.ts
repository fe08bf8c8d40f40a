import { cloneJson, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, isQualifiedName } from "@kubewright/cel/validation";
import { timestamp } from "../../../model/metadata.ts";
import type { ApiObject, Strategy } from "../../../model/resource.ts";

const kubernetes = "kubernetes";
const standardFinalizers = new Set([kubernetes, "orphan", "foregroundDeletion"]);

function finalizersOf(object: ApiObject): string[] {
  return ((object.spec as JsonObject | undefined)?.finalizers ?? []) as string[];
}

function finalizerErrors(object: ApiObject, path: (index: number) => string): FieldError[] {
  return finalizersOf(object).flatMap((name, index) => {
    const errors = isQualifiedName(name).map((problem) => invalidValue(path(index), name, problem));
    if (!name.includes("/") && !standardFinalizers.has(name)) {
      const detail = "name is neither a standard finalizer name nor is it fully qualified";
      errors.push(invalidValue(path(index), name, detail));
    }
    return errors;
  });
}

function phaseErrors(object: ApiObject): FieldError[] {
  const phase = (object.status as JsonObject | undefined)?.phase ?? "";
  const deleting = object.metadata.deletionTimestamp !== undefined;
  if (phase === (deleting ? "Terminating" : "Active")) return [];
  const detail = deleting
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalidValue("status.Phase", phase, detail)];
}

/** The rules of Namespaces: a namespace stays until the finalizers in its specification are gone. */
export const namespace: Strategy = {
  resetFields: { "": [["status"]], status: [["spec"]], finalize: [["status"]] },
  prepareForCreate(object) {
    object.status = { phase: "Active" };
    const finalizers = finalizersOf(object);
    if (!finalizers.includes(kubernetes)) object.spec = { finalizers: [...finalizers, kubernetes] };
    object.metadata.labels = {
      ...object.metadata.labels,
      "kubernetes.io/metadata.name": object.metadata.name as string,
    };
  },
  prepareForUpdate(object, old, { subresource }) {
    if (subresource !== "finalize") object.spec = cloneJson(old.spec ?? {});
    if (subresource !== "status") object.status = cloneJson(old.status ?? {});
    object.metadata.labels = {
      ...object.metadata.labels,
      "kubernetes.io/metadata.name": object.metadata.name as string,
    };
  },
  validate: (object) => finalizerErrors(object, () => "spec.finalizers"),
  validateUpdate(object, _old, { subresource }) {
    if (subresource === "status") return phaseErrors(object);
    if (subresource === "finalize") return finalizerErrors(object, (index) => `spec.finalizers[${index}]`);
    return finalizerErrors(object, () => "spec.finalizers");
  },
  holdDeletion(object, options, now) {
    const { metadata } = object;
    if (metadata.deletionTimestamp !== undefined) return finalizersOf(object).length > 0 ? "waits" : undefined;
    metadata.deletionTimestamp = timestamp(now);
    object.status = { ...(object.status as JsonObject), phase: "Terminating" };
    const finalizers = new Set(metadata.finalizers ?? []);
    const wants = (name: string, asked: boolean | undefined): void => {
      if (asked === true) finalizers.add(name);
      if (asked === false) finalizers.delete(name);
    };
    const { orphanDependents: orphan, propagationPolicy: policy } = options;
    wants("orphan", orphan ?? (policy === undefined ? undefined : policy === "Orphan"));
    wants(
      "foregroundDeletion",
      orphan === undefined ? (policy === undefined ? undefined : policy === "Foreground") : !orphan,
    );
    if (finalizers.size > 0) metadata.finalizers = [...finalizers];
    else delete metadata.finalizers;
    return "marked";
  },
  shouldDeleteDuringUpdate: (object) => finalizersOf(object).length === 0,
};
