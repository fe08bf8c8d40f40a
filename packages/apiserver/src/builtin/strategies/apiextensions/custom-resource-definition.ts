import type { JsonObject } from "@kubewright/cel/json";
import {
  defaultStoredVersions,
  definitionWarnings,
  prepareDefinitionUpdate,
  prepareNewDefinition,
} from "../../../crd/definition.ts";
import {
  validateDefinition,
  validateDefinitionStatus,
  validateDefinitionUpdate,
} from "../../../crd/validate-definition.ts";
import { timestamp } from "../../../model/metadata.ts";
import type { Strategy } from "../../../model/resource.ts";

const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** The rules of CustomResourceDefinitions: their objects go before they do. */
export const customResourceDefinition: Strategy = {
  validatesMetadata: true,
  repeatsErrors: true,
  prepareForCreate: prepareNewDefinition,
  prepareForUpdate(object, old, { subresource }) {
    if (subresource === "") prepareDefinitionUpdate(object, old);
    else defaultStoredVersions(object);
  },
  validate: (object) => validateDefinition(object),
  validateUpdate: (object, old, { subresource }) =>
    subresource === "status" ? validateDefinitionStatus(object, old) : validateDefinitionUpdate(object, old),
  warningsOnCreate: (object) => definitionWarnings(object),
  warningsOnUpdate: definitionWarnings,
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
