import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isPathSegment,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { amountOf } from "../../../validation/amounts.ts";
import { annotationKeys } from "../../defaults/autoscaler-versions.ts";
import { containerResourceNameErrors } from "../core/resource-names.ts";
import { declared, fieldsOf, invalidFor, isSet, nonNegative, numberOf, objectsOf, textOf } from "../fields/fields.ts";
import { nonNegativeQuantity } from "../fields/quantities.ts";

/** The fields of metrics by their types, in the order in which the server looks at them. */
const sources: Readonly<Record<string, string>> = {
  Object: "object",
  External: "external",
  Pods: "pods",
  Resource: "resource",
  ContainerResource: "containerResource",
};

function pathSegmentErrors(value: Json | undefined, path: string, detail = ""): FieldError[] {
  const text = textOf(value);
  if (text === "") return [required(path, detail)];
  return invalidFor(path, text, isPathSegment(text, false));
}

function referenceErrors(reference: JsonObject, path: string): FieldError[] {
  return [...pathSegmentErrors(reference.kind, `${path}.kind`), ...pathSegmentErrors(reference.name, `${path}.name`)];
}

function apiVersionErrors(reference: JsonObject, path: string, needsGroup: boolean): FieldError[] {
  const apiVersion = textOf(reference.apiVersion);
  const field = `${path}.apiVersion`;
  const parts = apiVersion.split("/");
  if (parts.length > 2) return [invalidValue(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const hasGroup = parts.length === 2 && parts[0] !== "";
  return needsGroup && !hasGroup ? [invalidValue(field, apiVersion, "apiVersion must specify API group")] : [];
}

/** Checks what is scaled. Its version stays valid as long as it stays the same. */
function scaleTargetErrors(target: JsonObject, old?: JsonObject): FieldError[] {
  const path = "spec.scaleTargetRef";
  const errors = referenceErrors(target, path);
  if (old !== undefined && textOf(old.apiVersion) === textOf(target.apiVersion) && old.kind === target.kind)
    return errors;
  // Only ReplicationControllers are in the group without a name.
  return [...errors, ...apiVersionErrors(target, path, target.kind !== "ReplicationController")];
}

function isPositive(quantity: Json | undefined): boolean {
  return typeof quantity === "string" && amountOf(quantity).value > 0n;
}

function targetErrors(target: JsonObject, path: string): FieldError[] {
  const type = textOf(target.type);
  const errors: FieldError[] = type === "" ? [required(`${path}.type`, "must specify a metric target type")] : [];
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    errors.push(invalidValue(`${path}.type`, type, "must be either Utilization, Value, or AverageValue"));
  }
  for (const key of ["value", "averageValue"]) {
    if (isSet(target[key]) && !isPositive(target[key])) {
      errors.push(invalidValue(`${path}.${key}`, target[key], "must be positive"));
    }
  }
  const utilization = target.averageUtilization;
  if (isSet(utilization) && numberOf(utilization) < 1) {
    errors.push(invalidValue(`${path}.averageUtilization`, utilization, "must be greater than 0"));
  }
  return errors;
}

function identifierErrors(metric: JsonObject, path: string): FieldError[] {
  return pathSegmentErrors(metric.name, `${path}.name`, "must specify a metric name");
}

/** Checks the target of a metric of a resource: a value or a utilization. */
function resourceTargetErrors(target: JsonObject, path: string): FieldError[] {
  const errors = targetErrors(target, path);
  const [value, utilization] = [isSet(target.averageValue), isSet(target.averageUtilization)];
  if (!value && !utilization) {
    const detail = "must set either a target raw value or a target utilization";
    errors.push(required(`${path}.averageUtilization`, detail));
  }
  if (value && utilization) {
    errors.push(forbiddenValue(`${path}.averageValue`, "may not set both a target raw value and a target utilization"));
  }
  return errors;
}

const sourceErrors: Readonly<Record<string, (source: JsonObject, path: string) => FieldError[]>> = {
  object(source, path) {
    const target = fieldsOf(source.target);
    const errors = [
      ...referenceErrors(fieldsOf(source.describedObject), `${path}.describedObject`),
      ...apiVersionErrors(fieldsOf(source.describedObject), `${path}.describedObject`, false),
      ...identifierErrors(fieldsOf(source.metric), `${path}.metric`),
      ...targetErrors(target, `${path}.target`),
    ];
    if (!isSet(target.value) && !isSet(target.averageValue)) {
      const detail = "must set either a target value or averageValue";
      errors.push(required(`${path}.target.averageValue`, detail));
    }
    return errors;
  },
  external(source, path) {
    const target = fieldsOf(source.target);
    const errors = [
      ...identifierErrors(fieldsOf(source.metric), `${path}.metric`),
      ...targetErrors(target, `${path}.target`),
    ];
    const [value, average] = [isSet(target.value), isSet(target.averageValue)];
    if (!value && !average) {
      const detail = "must set either a target value for metric or a per-pod target";
      errors.push(required(`${path}.target.averageValue`, detail));
    }
    if (value && average) {
      errors.push(
        forbiddenValue(`${path}.target.value`, "may not set both a target value for metric and a per-pod target"),
      );
    }
    return errors;
  },
  pods(source, path) {
    const target = fieldsOf(source.target);
    const errors = [
      ...identifierErrors(fieldsOf(source.metric), `${path}.metric`),
      ...targetErrors(target, `${path}.target`),
    ];
    if (isPositive(target.averageValue) || isSet(target.averageValue)) return errors;
    return [...errors, required(`${path}.target.averageValue`, "must specify a positive target averageValue")];
  },
  resource(source, path) {
    const errors: FieldError[] =
      textOf(source.name) === "" ? [required(`${path}.name`, "must specify a resource name")] : [];
    return [...errors, ...resourceTargetErrors(fieldsOf(source.target), `${path}.target`)];
  },
  containerResource(source, path) {
    const [name, container] = [textOf(source.name), textOf(source.container)];
    return [
      ...(name === ""
        ? [required(`${path}.name`, "must specify a resource name")]
        : containerResourceNameErrors(name, `${path}.name`)),
      ...(container === ""
        ? [required(`${path}.container`, "must specify a container")]
        : invalidFor(`${path}.container`, container, isDNS1123Label(container))),
      ...resourceTargetErrors(fieldsOf(source.target), `${path}.target`),
    ];
  },
};

function metricErrors(metric: JsonObject, path: string): FieldError[] {
  const type = textOf(metric.type);
  const errors: FieldError[] = type === "" ? [required(`${path}.type`, "must specify a metric source type")] : [];
  const own = sources[type];
  if (own === undefined) errors.push(notSupported(`${path}.type`, type, Object.keys(sources).sort()));
  const present = Object.values(sources).filter((key) => isSet(metric[key]));
  // The server checks the first source, even if the metric has another type.
  const [first] = present;
  if (first !== undefined) errors.push(...(sourceErrors[first]?.(fieldsOf(metric[first]), `${path}.${first}`) ?? []));
  if (own !== undefined && !isSet(metric[own])) {
    errors.push(required(`${path}.${own}`, "must populate information for the given metric source"));
  }
  // The server looks at the type twice, and reports an unknown one each time.
  if (own === undefined) errors.push(notSupported(`${path}.type`, type, Object.keys(sources).sort()));
  if (present.length < 2) return errors;
  const others = present.filter((key) => key !== own);
  const only = (key: string): FieldError =>
    forbiddenValue(`${path}.${key}`, "must populate the given metric source only");
  return [...errors, ...others.map(only)];
}

function scalingErrors(rules: Json | undefined, path: string): FieldError[] {
  if (!isSet(rules)) return [];
  const { stabilizationWindowSeconds: window, selectPolicy, policies, tolerance } = fieldsOf(rules);
  const errors: FieldError[] = [];
  if (isSet(window) && numberOf(window) < 0) {
    errors.push(invalidValue(`${path}.stabilizationWindowSeconds`, window, "must be greater than or equal to zero"));
  }
  if (isSet(window) && numberOf(window) > 3600) {
    errors.push(invalidValue(`${path}.stabilizationWindowSeconds`, window, "must be less than or equal to 3600"));
  }
  if (isSet(selectPolicy) && !["Max", "Min", "Disabled"].includes(textOf(selectPolicy))) {
    errors.push(notSupported(`${path}.selectPolicy`, selectPolicy, ["Disabled", "Max", "Min"]));
  }
  const list = objectsOf(policies);
  if (list.length === 0) errors.push(required(`${path}.policies`, "must specify at least one Policy"));
  for (const [index, { type, value, periodSeconds }] of list.entries()) {
    const at = `${path}.policies[${index}]`;
    const period = numberOf(periodSeconds);
    if (type !== "Pods" && type !== "Percent") {
      errors.push(notSupported(`${at}.type`, textOf(type), ["Percent", "Pods"]));
    }
    if (numberOf(value) <= 0) errors.push(invalidValue(`${at}.value`, numberOf(value), "must be greater than zero"));
    if (period <= 0) errors.push(invalidValue(`${at}.periodSeconds`, period, "must be greater than zero"));
    if (period > 1800) errors.push(invalidValue(`${at}.periodSeconds`, period, "must be less than or equal to 1800"));
  }
  if (isSet(tolerance)) errors.push(...nonNegativeQuantity(tolerance, `${path}.tolerance`));
  return errors;
}

function specErrors(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const errors: FieldError[] = [];
  const minimum = spec.minReplicas;
  const maximum = numberOf(spec.maxReplicas);
  const metrics = objectsOf(spec.metrics);
  errors.push(...declared(nonNegative(minimum, "spec.minReplicas")));
  if (maximum === 0) errors.push(...declared([required("spec.maxReplicas", "")]));
  else if (maximum < 1) {
    errors.push(...declared([invalidValue("spec.maxReplicas", maximum, "must be greater than or equal to 1")]));
  }
  if (isSet(minimum) && maximum < numberOf(minimum)) {
    errors.push(invalidValue("spec.maxReplicas", maximum, "must be greater than or equal to `minReplicas`"));
  }
  const target = (apiObject: ApiObject): JsonObject => fieldsOf(fieldsOf(apiObject.spec).scaleTargetRef);
  errors.push(...scaleTargetErrors(target(object), old === undefined ? undefined : target(old)));
  errors.push(...metrics.flatMap((metric, index) => metricErrors(metric, `spec.metrics[${index}]`)));
  if (minimum === 0 && !metrics.some(({ type }) => type === "Object" || type === "External")) {
    const detail = "must specify at least one Object or External metric to support scaling to zero replicas";
    errors.push(forbiddenValue("spec.metrics", detail));
  }
  const behavior = fieldsOf(spec.behavior);
  return [
    ...errors,
    ...scalingErrors(behavior.scaleUp, "spec.behavior.scaleUp"),
    ...scalingErrors(behavior.scaleDown, "spec.behavior.scaleDown"),
  ];
}

/** The rules of HorizontalPodAutoscalers. */
export const horizontalPodAutoscaler: Strategy = {
  externalAnnotations: annotationKeys,
  validate: (object) => specErrors(object),
  validateUpdate(object, old, { subresource }) {
    if (subresource !== "status") return specErrors(object, old);
    const { currentReplicas, desiredReplicas, conditions } = fieldsOf(object.status);
    return [
      ...objectsOf(conditions).flatMap(({ observedGeneration }, index) =>
        nonNegative(observedGeneration, `status.conditions[${index}].observedGeneration`),
      ),
      ...nonNegative(currentReplicas, "status.currentReplicas"),
      ...nonNegative(desiredReplicas, "status.desiredReplicas"),
    ];
  },
};
