import { type FieldError, invalidValue, isQualifiedName } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { fieldsOf, isSet, textOf } from "../fields/fields.ts";
import { configurationErrors, maximumConfigurations } from "./configurations.ts";
import { listErrors } from "./lists.ts";
import { selectorErrors } from "./selectors.ts";

/** The rules of DeviceClasses. */
export const deviceClass: Strategy = { validate: classErrors, validateUpdate: classErrors };

function classErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const name = textOf(spec.extendedResourceName);
  const path = "spec.extendedResourceName";
  const isWrong = isSet(spec.extendedResourceName) && !isExtendedResourceName(name);
  return [
    ...selectorErrors(spec.selectors, "spec.selectors"),
    ...listErrors(spec.config, "spec.config", maximumConfigurations, configurationErrors),
    ...(isWrong ? [invalidValue(path, name, "must be a valid extended resource name")] : []),
  ];
}

/** Reports whether a resource isn't one of Kubernetes itself. */
function isExtendedResourceName(name: string): boolean {
  if (!name.includes("/") || name.includes("kubernetes.io/") || name.startsWith("requests.")) return false;
  return isQualifiedName(`requests.${name}`).length === 0;
}
