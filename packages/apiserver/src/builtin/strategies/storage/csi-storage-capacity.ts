import { type FieldError, nameIsDNSSubdomain } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { deprecatedNodeLabel, nodeTermWarnings } from "../core/node/node-labels.ts";
import { fieldsOf, immutable, invalidFor, isSet, sortedKeys, textOf } from "../fields/fields.ts";
import { nonNegativeQuantity } from "../fields/quantities.ts";

/** The rules of CSIStorageCapacities, whose class and nodes can't change. */
export const csiStorageCapacity: Strategy = {
  validate: capacityErrors,
  validateUpdate: (object, old) => [
    ...capacityErrors(object),
    ...immutable(object.nodeTopology, old.nodeTopology, "nodeTopology"),
    ...immutable(textOf(object.storageClassName), textOf(old.storageClassName), "storageClassName"),
  ],
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
};

function capacityErrors(object: ApiObject): FieldError[] {
  const name = textOf(object.storageClassName);
  return [
    ...validateLabelSelector(object.nodeTopology, "nodeTopology"),
    ...invalidFor("storageClassName", name, nameIsDNSSubdomain(name, false)),
    ...(isSet(object.capacity) ? nonNegativeQuantity(object.capacity, "capacity") : []),
  ];
}

function warnings(object: ApiObject): string[] {
  const topology = fieldsOf(object.nodeTopology);
  const labels = sortedKeys(topology.matchLabels).flatMap((key) => {
    const warning = deprecatedNodeLabel(key);
    return warning === undefined ? [] : [`nodeTopology.matchLabels.${key}: ${warning}`];
  });
  return [...nodeTermWarnings(topology, "nodeTopology"), ...labels];
}
