import { type FieldError, isQualifiedName } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { fieldsOf, invalidFor, isSet, textOf } from "../fields/fields.ts";
import { configurationErrors, maximumConfigurations } from "./configurations.ts";
import { listErrors } from "./lists.ts";
import { selectorErrors } from "./selectors.ts";

/** The rules of DeviceClasses. */
export const deviceClass: Strategy = { validate: classErrors, validateUpdate: classErrors };

function classErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const name = textOf(spec.extendedResourceName);
  const path = "spec.extendedResourceName";
  return [
    ...selectorErrors(spec.selectors, "spec.selectors"),
    ...listErrors(spec.config, "spec.config", maximumConfigurations, configurationErrors),
    ...(isSet(spec.extendedResourceName) ? invalidFor(path, name, extendedNameProblems(name)) : []),
  ];
}

/** Describes what is wrong with the name of a resource that isn't one of Kubernetes itself. */
function extendedNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (!name.includes("/")) problems.push("a name must be a domain-prefixed path, such as 'example.com/my-prop'");
  else if (name.includes("kubernetes.io/")) problems.push('must not have "kubernetes.io/" domain');
  if (name.startsWith("requests.")) problems.push('must not have "requests." prefix');
  return [...problems, ...isQualifiedName(`requests.${name}`)];
}
