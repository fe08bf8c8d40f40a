import { validateLabels } from "../../../metadata/validate.ts";
import type { ApiObject, Strategy } from "../../../registry/resource.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { duplicateValue } from "../../../request/paths.ts";
import { isDNS1123Label } from "../../../validation/name-rules.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { deprecatedNodeLabel } from "../core/node-labels.ts";
import { resourceErrors } from "../core/resources.ts";
import { tolerationErrors } from "../core/tolerations.ts";
import { fieldsOf, immutable, objectsOf, requiredText, sortedKeys } from "../fields.ts";

function schedulingErrors(object: ApiObject): FieldError[] {
  const { nodeSelector, tolerations } = fieldsOf(object.scheduling);
  const list = objectsOf(tolerations);
  const seen = new Set<string>();
  return [
    ...validateLabels(nodeSelector, "scheduling.nodeSelector"),
    ...list.flatMap((toleration, index) => {
      const errors = tolerationErrors([toleration], () => `scheduling.tolerations[${index}]`);
      const shown = internalForm("core.Toleration", toleration);
      const key = JSON.stringify(shown);
      if (seen.has(key)) errors.push(duplicateValue(`scheduling.tolerations[${index}]`, shown));
      seen.add(key);
      return errors;
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
  validateUpdate: (object, old) => immutable(object.handler, old.handler, "handler"),
  warningsOnCreate: runtimeClassWarnings,
  warningsOnUpdate: runtimeClassWarnings,
};
