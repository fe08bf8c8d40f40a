// The rules of single objects alone, for unit tests (`objectsOnly`).

import type { JsonObject } from "@kubewright/cel/json";
import type { ConvertCustom } from "../custom-resources/resource-type.ts";
import type { Admission } from "../model/admission.ts";
import type { ApiObject, ResourceType, Strategy } from "../model/resource.ts";

/** Admits all objects unchanged. */
export const noAdmission: Admission = {
  mutate: async ({ object }) => object,
  validate: async () => {},
};

/**
 * Removes the rules that need more than the object: nothing waits for a controller. Statuses aren't validated, because unit
 * tests write only those parts of them that a reconciler reads.
 */
export function ofSingleObjects(type: ResourceType): ResourceType {
  const strategy: Strategy = { ...type.strategy };
  if (type.collection === "namespaces") {
    delete strategy.holdDeletion;
    delete strategy.shouldDeleteDuringUpdate;
  }
  strategy.validateUpdate = (object, old, context) =>
    context.subresource === "status" ? [] : (type.strategy.validateUpdate?.(object, old, context) ?? []);
  return { ...type, strategy };
}

/** Converts objects between versions that differ only in their names. */
export function nameConverter({ spec }: ApiObject): ConvertCustom {
  const { strategy } = ((spec as JsonObject).conversion ?? {}) as { strategy?: string };
  if (strategy !== "Webhook") return (object, apiVersion) => ({ ...object, apiVersion });
  return (object, apiVersion) => {
    const name = `${object.kind} ${JSON.stringify(object.metadata.name)}`;
    throw new Error(
      `${name} was written as ${object.apiVersion} and is used as ${apiVersion}: only the webhook of its definition converts it, and unit tests call no webhooks\nhint: use one version per test, or a TestEnvironment`,
    );
  };
}
