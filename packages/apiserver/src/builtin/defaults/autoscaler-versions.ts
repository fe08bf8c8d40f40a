import { encodeJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { ApiObject } from "../../model/resource.ts";
import { normalize } from "../codec/decode.ts";
import { goStruct } from "../codec/go-types.ts";
import { defaultAutoscaler } from "./autoscaler.ts";

// autoscaling/v1 has fields only for the utilization of CPUs. It keeps the rest of autoscaling/v2 in annotations, whose
// values are JSON of types that v1 once had.
const prefix = "autoscaling.alpha.kubernetes.io/";
const metricsKey = `${prefix}metrics`;
const currentMetricsKey = `${prefix}current-metrics`;
const conditionsKey = `${prefix}conditions`;
const behaviorKey = `${prefix}behavior`;
/** All annotations that autoscaling/v1 has in place of fields. */
export const annotationKeys: readonly string[] = [
  metricsKey,
  behaviorKey,
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
  currentMetricsKey,
  conditionsKey,
];

/**
 * Converts a HorizontalPodAutoscaler between autoscaling/v1 and autoscaling/v2.
 *
 * @param object - the object; may be changed
 * @param version - `v1` or `v2`
 * @returns the object in that version
 */
export function convertAutoscaler(object: ApiObject, version: string): ApiObject {
  const apiVersion = `autoscaling/${version}`;
  if (object.apiVersion === apiVersion) return object;
  const converted = version === "v1" ? toFirst(object) : toSecond(object);
  const { object: complete } = normalize(goStruct(`${apiVersion}.HorizontalPodAutoscaler`), converted, "stored");
  return { ...complete, apiVersion, kind: object.kind ?? "" } as ApiObject;
}

/**
 * Removes the annotations in which autoscaling/v1 shows fields of autoscaling/v2.
 *
 * @param object - the object; changed
 */
export function dropVersionAnnotations({ metadata }: ApiObject): void {
  if (metadata.annotations === undefined) return;
  for (const key of annotationKeys) delete metadata.annotations[key];
  if (Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
}

/**
 * Completes a HorizontalPodAutoscaler of autoscaling/v1 with the fields and annotations that it has after storage.
 *
 * @param object - the object; changed
 */
export function defaultFirstAutoscaler(object: ApiObject): void {
  const spec = fieldsOf(object.spec);
  if (!isSet(spec, "minReplicas")) object.spec = { ...spec, minReplicas: 1 };
  Object.assign(object, convertAutoscaler(convertAutoscaler({ ...object }, "v2"), "v1"));
}

function toFirst(object: ApiObject): ApiObject {
  const [spec, status] = [fieldsOf(object.spec), fieldsOf(object.status)];
  const { metrics: _metrics, behavior, ...ownSpec } = spec;
  const { currentMetrics: _current, conditions: _conditions, ...ownStatus } = status;
  const [metrics, currentMetrics, conditions] = [spec.metrics, status.currentMetrics, status.conditions].map(objectsOf);
  const utilization = metrics?.find(isCPUUtilization)?.resource as JsonObject | undefined;
  const current = currentMetrics?.findLast(
    ({ type, resource }) =>
      type === "Resource" &&
      fieldsOf(resource).name === "cpu" &&
      isSet(fieldsOf(resource).current, "averageUtilization"),
  )?.resource as JsonObject | undefined;
  const others = metrics?.filter((metric) => !isCPUUtilization(metric)) ?? [];
  const annotations: Record<string, string> = { ...object.metadata.annotations };
  for (const key of annotationKeys) delete annotations[key];
  if (others.length > 0)
    annotations[metricsKey] = encodeJson(others.map((metric) => withoutAbsent(firstMetric(metric))));
  if (currentMetrics?.length) annotations[currentMetricsKey] = shownStatuses(currentMetrics);
  if (isObject(behavior)) annotations[behaviorKey] = encodeJson(shownBehavior(behavior));
  if (conditions?.length) annotations[conditionsKey] = encodeJson(conditions);
  return {
    ...object,
    metadata: { ...object.metadata, annotations: Object.fromEntries(Object.entries(annotations).sort()) },
    spec: {
      ...ownSpec,
      ...(utilization && { targetCPUUtilizationPercentage: fieldsOf(utilization.target).averageUtilization ?? null }),
    },
    status: {
      ...ownStatus,
      ...(current && { currentCPUUtilizationPercentage: fieldsOf(current.current).averageUtilization ?? null }),
    },
  };
}

function isCPUUtilization({ type, resource }: JsonObject): boolean {
  const { name, target } = fieldsOf(resource);
  return type === "Resource" && name === "cpu" && isSet(target, "averageUtilization");
}

function toSecond(object: ApiObject): ApiObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = fieldsOf(object.spec);
  const { currentCPUUtilizationPercentage: current, ...status } = fieldsOf(object.status);
  const { annotations = {} } = object.metadata;
  const metrics = listIn(annotations[metricsKey])?.map(secondMetric) ?? [];
  if (typeof target === "number") metrics.push(cpuMetric(target));
  if (metrics.length === 0) metrics.push(cpuMetric(80));
  const behavior = secondBehavior(annotations[behaviorKey]);
  const cpuStatus =
    typeof current === "number"
      ? [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: current } } }]
      : undefined;
  const shown = annotations[currentMetricsKey];
  // The annotation of a utilization alone would add an average value of zero.
  const isShown = cpuStatus !== undefined && shown === shownStatuses(cpuStatus);
  const currentMetrics = (isShown ? undefined : listIn(shown)?.map(secondStatus)) ?? cpuStatus;
  const conditions = listIn(annotations[conditionsKey]);
  const second: ApiObject = {
    ...object,
    metadata: { ...object.metadata, ...(object.metadata.annotations && { annotations: { ...annotations } }) },
    spec: { ...spec, metrics: metrics.map(withoutAbsent), ...(behavior && { behavior }) },
    status: {
      ...status,
      ...(currentMetrics && { currentMetrics: currentMetrics.map(withoutAbsent) }),
      ...(conditions && { conditions }),
    },
  };
  dropVersionAnnotations(second);
  // The real server sets these when it reads the object from etcd.
  defaultAutoscaler(second);
  return second;
}

function cpuMetric(averageUtilization: number): JsonObject {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function isSet(value: Json | undefined, field: string): boolean {
  return (fieldsOf(value)[field] ?? null) !== null;
}

/** An object whose absent fields are undefined. */
type Draft = { [key: string]: Json | Draft | undefined };

/** Removes the fields without a value, also in objects inside. */
function withoutAbsent(draft: Draft): JsonObject {
  const entries = Object.entries(draft).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isObject(value as Json) ? withoutAbsent(value as Draft) : (value as Json)]),
  );
}

/** Converts each source of a metric that is there. */
function eachSource(metric: JsonObject, convert: Readonly<Record<string, (source: JsonObject) => Draft>>): Draft {
  const sources = Object.entries(convert).flatMap(([key, change]): [string, Draft][] => {
    const source = metric[key];
    return isObject(source) ? [[key, change(source)]] : [];
  });
  return { type: metric.type ?? "", ...Object.fromEntries(sources) };
}

/** Returns a reference in the order of its fields in Go. */
function reference(value: Json | undefined): Draft {
  const { kind = "", name = "", apiVersion } = fieldsOf(value);
  return { kind, name, apiVersion: apiVersion === "" ? undefined : apiVersion };
}

function firstMetric(metric: JsonObject): Draft {
  return eachSource(metric, {
    object({ describedObject, metric: identifier, target }) {
      const { name = "", selector } = fieldsOf(identifier);
      const { value = "0", averageValue } = fieldsOf(target);
      return { target: reference(describedObject), metricName: name, targetValue: value, selector, averageValue };
    },
    pods({ metric: identifier, target }) {
      const { name = "", selector } = fieldsOf(identifier);
      return { metricName: name, targetAverageValue: fieldsOf(target).averageValue ?? "0", selector };
    },
    resource({ name, target }) {
      const { averageUtilization, averageValue } = fieldsOf(target);
      return { name, targetAverageUtilization: averageUtilization, targetAverageValue: averageValue };
    },
    containerResource({ name, target, container = "" }) {
      const { averageUtilization, averageValue } = fieldsOf(target);
      return { name, targetAverageUtilization: averageUtilization, targetAverageValue: averageValue, container };
    },
    external({ metric: identifier, target }) {
      const { name = "", selector } = fieldsOf(identifier);
      const { value, averageValue } = fieldsOf(target);
      return { metricName: name, metricSelector: selector, targetValue: value, targetAverageValue: averageValue };
    },
  });
}

function shownStatuses(metrics: readonly JsonObject[]): string {
  return encodeJson(metrics.map((metric) => withoutAbsent(firstStatus(metric))));
}

function firstStatus(metric: JsonObject): Draft {
  return eachSource(metric, {
    object({ describedObject, metric: identifier, current }) {
      const { name = "", selector } = fieldsOf(identifier);
      const { value = "0", averageValue } = fieldsOf(current);
      return { target: reference(describedObject), metricName: name, currentValue: value, selector, averageValue };
    },
    pods({ metric: identifier, current }) {
      const { name = "", selector } = fieldsOf(identifier);
      return { metricName: name, currentAverageValue: fieldsOf(current).averageValue ?? "0", selector };
    },
    resource({ name, current }) {
      const { averageUtilization, averageValue = "0" } = fieldsOf(current);
      return { name, currentAverageUtilization: averageUtilization, currentAverageValue: averageValue };
    },
    containerResource({ name, current, container = "" }) {
      const { averageUtilization, averageValue = "0" } = fieldsOf(current);
      return { name, currentAverageUtilization: averageUtilization, currentAverageValue: averageValue, container };
    },
    external({ metric: identifier, current }) {
      const { name = "", selector } = fieldsOf(identifier);
      const { value = "0", averageValue } = fieldsOf(current);
      return { metricName: name, metricSelector: selector, currentValue: value, currentAverageValue: averageValue };
    },
  });
}

/** The target of a metric of a resource: a utilization unless there is only a value. */
function resourceTarget({ targetAverageUtilization, targetAverageValue }: JsonObject): Draft {
  const isUtilization = (targetAverageUtilization ?? null) !== null;
  return {
    type: isUtilization ? "Utilization" : "AverageValue",
    averageValue: targetAverageValue,
    averageUtilization: targetAverageUtilization,
  };
}

function secondMetric(metric: JsonObject): Draft {
  return eachSource(metric, {
    object({ target, metricName = "", targetValue = "0", selector, averageValue }) {
      const isAverage = (averageValue ?? null) !== null;
      const value = isAverage && targetValue === "0" ? undefined : targetValue;
      return {
        describedObject: reference(target),
        target: { type: isAverage ? "AverageValue" : "Value", value, averageValue },
        metric: { name: metricName, selector },
      };
    },
    pods: ({ metricName = "", targetAverageValue = "0", selector }) => ({
      metric: { name: metricName, selector },
      target: { type: "AverageValue", averageValue: targetAverageValue },
    }),
    resource: (source) => ({ name: source.name, target: resourceTarget(source) }),
    containerResource: (source) => ({
      name: source.name,
      target: resourceTarget(source),
      container: source.container,
    }),
    external: ({ metricName = "", metricSelector, targetValue, targetAverageValue }) => ({
      metric: { name: metricName, selector: metricSelector },
      target: {
        type: (targetValue ?? null) === null ? "AverageValue" : "Value",
        value: targetValue,
        averageValue: targetAverageValue,
      },
    }),
  });
}

function secondStatus(metric: JsonObject): Draft {
  const resource = ({ currentAverageUtilization, currentAverageValue = "0" }: JsonObject): Draft => ({
    averageValue: currentAverageValue,
    averageUtilization: currentAverageUtilization,
  });
  return eachSource(metric, {
    object: ({ target, metricName = "", currentValue = "0", selector, averageValue }) => ({
      metric: { name: metricName, selector },
      current: { value: currentValue, averageValue },
      describedObject: reference(target),
    }),
    pods: ({ metricName = "", currentAverageValue = "0", selector }) => ({
      metric: { name: metricName, selector },
      current: { averageValue: currentAverageValue },
    }),
    resource: (source) => ({ name: source.name, current: resource(source) }),
    containerResource: (source) => ({ name: source.name, current: resource(source), container: source.container }),
    external: ({ metricName = "", metricSelector, currentValue = "0", currentAverageValue }) => ({
      metric: { name: metricName, selector: metricSelector },
      current: { value: currentValue, averageValue: currentAverageValue },
    }),
  });
}

/** The behavior as the annotation shows it: with the names of its Go structs. */
function shownBehavior({ scaleUp, scaleDown }: JsonObject): JsonObject {
  const shown = (rules: Json | undefined): JsonObject | null => {
    if (!isObject(rules)) return null;
    const { stabilizationWindowSeconds = null, selectPolicy = null, policies, tolerance = null } = rules;
    return {
      StabilizationWindowSeconds: stabilizationWindowSeconds,
      SelectPolicy: selectPolicy,
      Policies: Array.isArray(policies)
        ? objectsOf(policies).map(({ type = "", value = 0, periodSeconds = 0 }) => ({
            Type: type,
            Value: value,
            PeriodSeconds: periodSeconds,
          }))
        : null,
      Tolerance: tolerance,
    };
  };
  return { ScaleUp: shown(scaleUp), ScaleDown: shown(scaleDown) };
}

function secondBehavior(text: string | undefined): JsonObject | undefined {
  const { ScaleUp, ScaleDown } = fieldsOf(jsonIn(text));
  if (!isObject(ScaleUp) && !isObject(ScaleDown)) return undefined;
  const rules = (value: Json | undefined): Draft | undefined => {
    if (!isObject(value)) return undefined;
    const { StabilizationWindowSeconds, SelectPolicy, Policies, Tolerance } = value;
    const policies = objectsOf(Policies).map(({ Type = "", Value = 0, PeriodSeconds = 0 }) => ({
      type: Type,
      value: Value,
      periodSeconds: PeriodSeconds,
    }));
    return {
      stabilizationWindowSeconds: StabilizationWindowSeconds,
      selectPolicy: SelectPolicy,
      policies: policies.length === 0 ? undefined : policies,
      tolerance: Tolerance,
    };
  };
  return withoutAbsent({ scaleUp: rules(ScaleUp), scaleDown: rules(ScaleDown) });
}

/** Returns the value of an annotation; undefined if it isn't JSON. */
function jsonIn(text: string | undefined): Json | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

function listIn(text: string | undefined): JsonObject[] | undefined {
  const value = jsonIn(text);
  return Array.isArray(value) ? objectsOf(value) : undefined;
}
