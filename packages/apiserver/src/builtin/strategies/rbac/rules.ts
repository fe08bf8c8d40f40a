import { equalJson, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isPathSegment,
  nameIsDNSSubdomain,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { declared, fieldsOf, invalidFor, isSet, objectsOf, textOf, textsOf } from "../fields/fields.ts";

const group = "rbac.authorization.k8s.io";

function ruleErrors(rule: JsonObject, path: string, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const has = (key: string): boolean => textsOf(rule[key]).length > 0;
  if (!has("verbs")) errors.push(...declared([required(`${path}.verbs`, "")]));
  if (has("nonResourceURLs")) {
    const refuse = (detail: string): number =>
      errors.push(invalidValue(`${path}.nonResourceURLs`, rule.nonResourceURLs, detail));
    if (namespaced) refuse("namespaced rules cannot apply to non-resource URLs");
    if (has("apiGroups") || has("resources") || has("resourceNames"))
      refuse("rules cannot apply to both regular resources and non-resource URLs");
    return errors;
  }
  if (!has("apiGroups"))
    errors.push(required(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  if (!has("resources")) errors.push(required(`${path}.resources`, "resource rules must supply at least one resource"));
  return errors;
}

function rulesErrors(role: ApiObject, namespaced: boolean): FieldError[] {
  return objectsOf(role.rules).flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`, namespaced));
}

function aggregationErrors(rule: Json | undefined): FieldError[] {
  if (!isSet(rule)) return [];
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = objectsOf(fieldsOf(rule).clusterRoleSelectors);
  if (selectors.length === 0) {
    return [required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  }
  return selectors.flatMap((selector, index) => {
    const errors = validateLabelSelector(selector, `${path}[${index}]`);
    // The server can't convert a selector that isn't valid, and reports that too, without its value.
    return errors.length === 0
      ? errors
      : [...errors, invalidValue(`${path}[${index}]`, null, "invalid label selector.")];
  });
}

function referenceErrors({ roleRef }: ApiObject, kinds: readonly string[]): FieldError[] {
  const { apiGroup, kind, name } = fieldsOf(roleRef);
  const errors: FieldError[] = [];
  if (textOf(apiGroup) !== group) errors.push(notSupported("roleRef.apiGroup", textOf(apiGroup), [group]));
  if (!kinds.includes(textOf(kind))) errors.push(notSupported("roleRef.kind", textOf(kind), kinds));
  if (textOf(name) === "") return [...errors, required("roleRef.name", "")];
  return [...errors, ...invalidFor("roleRef.name", textOf(name), isPathSegment(textOf(name), false))];
}

function subjectErrors(subject: JsonObject, path: string, namespaced: boolean): FieldError[] {
  const [kind, name, apiGroup] = [textOf(subject.kind), textOf(subject.name), textOf(subject.apiGroup)];
  const errors: FieldError[] = name === "" ? declared([required(`${path}.name`, "")]) : [];
  const expectGroup = (expected: string): void => {
    if (apiGroup !== expected) errors.push(notSupported(`${path}.apiGroup`, apiGroup, [expected]));
  };
  if (kind === "ServiceAccount") {
    if (name !== "") errors.push(...invalidFor(`${path}.name`, name, nameIsDNSSubdomain(name, false)));
    expectGroup("");
    if (!namespaced && textOf(subject.namespace) === "") errors.push(required(`${path}.namespace`, ""));
  } else if (kind === "User" || kind === "Group") expectGroup(group);
  else errors.push(notSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"]));
  return errors;
}

function bindingErrors(binding: ApiObject, namespaced: boolean): FieldError[] {
  return [
    ...referenceErrors(binding, namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"]),
    ...objectsOf(binding.subjects).flatMap((subject, index) =>
      subjectErrors(subject, `subjects[${index}]`, namespaced),
    ),
  ];
}

function bindingStrategy(namespaced: boolean): Strategy {
  return {
    validate: (binding) => bindingErrors(binding, namespaced),
    validateUpdate(binding, old) {
      const errors = bindingErrors(binding, namespaced);
      if (equalJson(binding.roleRef ?? null, old.roleRef ?? null)) return errors;
      const { apiGroup, kind, name } = fieldsOf(binding.roleRef);
      const shown = { APIGroup: textOf(apiGroup), Kind: textOf(kind), Name: textOf(name) };
      return [...errors, invalidValue("roleRef", shown, "field is immutable")];
    },
  };
}

/** The rules of Roles. */
export const role: Strategy = {
  validate: (object) => rulesErrors(object, true),
  validateUpdate: (object) => rulesErrors(object, true),
};

function clusterRoleErrors(object: ApiObject): FieldError[] {
  return [...rulesErrors(object, false), ...aggregationErrors(object.aggregationRule)];
}

/** The rules of ClusterRoles. */
export const clusterRole: Strategy = { validate: clusterRoleErrors, validateUpdate: clusterRoleErrors };

/** The rules of RoleBindings. */
export const roleBinding: Strategy = bindingStrategy(true);

/** The rules of ClusterRoleBindings. */
export const clusterRoleBinding: Strategy = bindingStrategy(false);
