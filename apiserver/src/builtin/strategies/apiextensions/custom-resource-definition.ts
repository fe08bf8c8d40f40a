import type { JsonObject } from "../../../json/json.ts";
import { timestamp } from "../../../registry/metadata.ts";
import type { ApiObject, Strategy } from "../../../registry/resource.ts";

const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

function storedVersions(object: ApiObject, known: readonly string[]): string[] {
  const versions = ((object.spec as JsonObject).versions ?? []) as { name: string; storage: boolean }[];
  const storage = versions.find((version) => version.storage)?.name;
  return storage === undefined || known.includes(storage) ? [...known] : [...known, storage];
}

/** The rules of CustomResourceDefinitions: their objects go before they do. */
export const customResourceDefinition: Strategy = {
  prepareForCreate(object) {
    object.status = {
      conditions: null,
      acceptedNames: { plural: "", kind: "" },
      storedVersions: storedVersions(object, []),
    };
  },
  prepareForUpdate(object, old, { subresource }) {
    if (subresource !== "") return;
    const status = { ...((old.status ?? {}) as JsonObject) };
    object.status = { ...status, storedVersions: storedVersions(object, (status.storedVersions ?? []) as string[]) };
  },
  holdDeletion(object, _options, now) {
    const { metadata } = object;
    const finalizers = metadata.finalizers ?? [];
    if (metadata.deletionTimestamp !== undefined) return finalizers.length > 0 ? "waits" : undefined;
    const time = timestamp(now);
    metadata.deletionTimestamp = time;
    if (!finalizers.includes(cleanupFinalizer)) metadata.finalizers = [...finalizers, cleanupFinalizer];
    const status = (object.status ?? {}) as JsonObject;
    const others = ((status.conditions ?? []) as JsonObject[]).filter(({ type }) => type !== "Terminating");
    const terminating = {
      type: "Terminating",
      status: "True",
      lastTransitionTime: time,
      reason: "InstanceDeletionPending",
      message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    };
    object.status = { ...status, conditions: [...others, terminating] };
    return "marked";
  },
};
