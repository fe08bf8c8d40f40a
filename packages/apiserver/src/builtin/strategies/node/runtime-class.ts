import { duplicateValue, type FieldError, isDNS1123Label, validateLabels } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { resourceErrors } from "../core/container/resources.ts";
import { deprecatedNodeLabel } from "../core/node/node-labels.ts";
import { tolerationErrors } from "../core/node/tolerations.ts";
import { declaredImmutable, fieldsOf, objectsOf, requiredText, sortedKeys, textOf } from "../fields/fields.ts";

function schedulingErrors(object: ApiObject): FieldError[] {
  const { nodeSelector, tolerations } = fieldsOf(object.scheduling);
  const list = objectsOf(tolerations);
  const seen = new Set<string>();
  return [
    ...validateLabels(nodeSelector, "scheduling.nodeSelector"),
    ...tolerationErrors(list, (index) => `scheduling.tolerations[${index}]`),
    ...list.flatMap((toleration, index) => {
      const { key, operator, value, effect } = toleration;
      const identity = JSON.stringify([key, operator, value, effect].map(textOf));
      const isNew = !seen.has(identity);
      seen.add(identity);
      if (isNew) return [];
      return [duplicateValue(`scheduling.tolerations[${index}]`, internalForm("core.Toleration", toleration))];
    }),
  ];
}

function runtimeClassErrors(object: ApiObject): FieldError[] {
  const limits = fieldsOf(object.overhead).podFixed;
  return [
    ...requiredText(object.handler, "handler", isDNS1123Label),
    ...resourceErrors({ limits: limits ?? {} }, "overhead", []),
    ...schedulingErrors(object),
  ];
}

function runtimeClassWarnings(object: ApiObject): string[] {
  return sortedKeys(fieldsOf(object.scheduling).nodeSelector).flatMap((key) => {
    const warning = deprecatedNodeLabel(key);
    return warning === undefined ? [] : [`scheduling.nodeSelector: ${warning}`];
  });
}

/** The rules of RuntimeClasses: the handler can't change. */
export const runtimeClass: Strategy = {
  validate: runtimeClassErrors,
  validateUpdate: (object, old) => [
    ...runtimeClassErrors(object),
    ...declaredImmutable(textOf(object.handler), textOf(old.handler), "handler"),
  ],
  warningsOnCreate: runtimeClassWarnings,
  warningsOnUpdate: runtimeClassWarnings,
};
