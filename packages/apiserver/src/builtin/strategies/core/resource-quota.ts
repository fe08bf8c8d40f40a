import type { Json, JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { fieldsOf, objectsOf, sortedKeys, textOf, textsOf } from "../fields/fields.ts";
import { isStandardQuotaResource, quotaResourceNameErrors, resourceQuantityErrors } from "./resource-names.ts";

const compute = ["cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
const podResources = ["pods", ...compute];

/** The resources that a quota with a scope can limit. */
const resourcesOfScope: Readonly<Record<string, readonly string[]>> = {
  Terminating: podResources,
  NotTerminating: podResources,
  NotBestEffort: podResources,
  PriorityClass: podResources,
  CrossNamespacePodAffinity: podResources,
  BestEffort: ["pods"],
  VolumeAttributesClass: ["persistentvolumeclaims", "requests.storage"],
};

function listErrors(value: Json | undefined, path: string): FieldError[] {
  const list = fieldsOf(value);
  return sortedKeys(list).flatMap((name) => [
    ...quotaResourceNameErrors(name, `${path}[${name}]`),
    ...resourceQuantityErrors(name, list[name], `${path}[${name}]`),
  ]);
}

/** Finds the limited resources to which a scope doesn't apply. */
function inapplicable(scope: string, hard: Json | undefined): string[] {
  const applicable = resourcesOfScope[scope];
  if (applicable === undefined) return [];
  return sortedKeys(hard).filter((name) => isStandardQuotaResource(name) && !applicable.includes(name));
}

function conflictErrors(scopes: readonly string[], shown: Json, path: string): FieldError[] {
  const pairs = [
    ["BestEffort", "NotBestEffort"],
    ["Terminating", "NotTerminating"],
  ];
  return pairs
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => invalidValue(path, shown, "conflicting scopes"));
}

function scopeErrors(spec: JsonObject): FieldError[] {
  const scopes = textsOf(spec.scopes);
  const path = "spec.scopes";
  const errors = scopes.flatMap((scope) => [
    ...(Object.hasOwn(resourcesOfScope, scope) ? [] : [invalidValue(path, scopes, "unsupported scope")]),
    ...inapplicable(scope, spec.hard).map(() => invalidValue(path, scopes, "unsupported scope applied to resource")),
  ]);
  return [...errors, ...conflictErrors(scopes, scopes, path)];
}

/** The scopes that a selector can only require to exist. */
const existing = ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"];

function operatorErrors(expression: JsonObject, path: string): FieldError[] {
  const [scope, operator] = [textOf(expression.scopeName), textOf(expression.operator)];
  const values = textsOf(expression.values);
  const errors: FieldError[] = [];
  if (existing.includes(scope) && operator !== "Exists") {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(invalidValue(`${path}.operator`, operator, detail));
  }
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      errors.push(required(`${path}.values`, detail));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      errors.push(invalidValue(`${path}.values`, values, detail));
    }
  } else errors.push(invalidValue(`${path}.operator`, operator, "not a valid selector operator"));
  return errors;
}

function selectorErrors(spec: JsonObject): FieldError[] {
  const path = "spec.scopeSelector.matchExpressions";
  const expressions = objectsOf(fieldsOf(spec.scopeSelector).matchExpressions);
  const scopes = expressions.map(({ scopeName }) => textOf(scopeName));
  const errors = expressions.flatMap((expression, index) => {
    const scope = scopes[index] as string;
    return [
      ...(Object.hasOwn(resourcesOfScope, scope)
        ? []
        : [invalidValue(`${path}.scopeName`, scope, "unsupported scope")]),
      ...inapplicable(scope, spec.hard).map(() =>
        invalidValue(
          path,
          internalForm("core.ScopeSelector", spec.scopeSelector),
          "unsupported scope applied to resource",
        ),
      ),
      ...operatorErrors(expression, path),
    ];
  });
  return [...errors, ...conflictErrors(scopes, spec.scopes ?? null, path)];
}

function quotaErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  return [...listErrors(spec.hard, "spec.hard"), ...scopeErrors(spec), ...selectorErrors(spec)];
}

/** The rules of ResourceQuotas: the scopes can't change. */
export const resourceQuota: Strategy = {
  validate: quotaErrors,
  validateUpdate(object, old, { subresource }) {
    const [spec, before] = [fieldsOf(object.spec), fieldsOf(old.spec)];
    if (subresource === "status") {
      const status = fieldsOf(object.status);
      return [...listErrors(status.hard, "status.hard"), ...listErrors(status.used, "status.used")];
    }
    const errors = quotaErrors(object);
    const [scopes, storedScopes] = [new Set(textsOf(spec.scopes)), new Set(textsOf(before.scopes))];
    if (scopes.size !== storedScopes.size || [...scopes].some((scope) => !storedScopes.has(scope))) {
      errors.push(invalidValue("spec.scopes", spec.scopes ?? null, "field is immutable"));
    }
    return errors;
  },
};
