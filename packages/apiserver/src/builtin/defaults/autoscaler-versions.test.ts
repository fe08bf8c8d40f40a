import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, test } from "vitest";
import type { ApiObject } from "../../model/resource.ts";
import { codecOf } from "../resources.ts";
import { convertAutoscaler } from "./autoscaler-versions.ts";

const kind = "HorizontalPodAutoscaler";
const scaleTargetRef = { kind: "Deployment", name: "a", apiVersion: "apps/v1" };
const prefix = "autoscaling.alpha.kubernetes.io/";

function decoded(version: string, fields: JsonObject): ApiObject {
  const value = { apiVersion: `autoscaling/${version}`, kind, metadata: { name: "a" }, ...fields };
  return codecOf("autoscaling", version, kind).decode(value).object;
}
const second = (spec: JsonObject, status: JsonObject = {}): ApiObject =>
  decoded("v2", { spec: { scaleTargetRef, maxReplicas: 3, ...spec }, status });
const first = (spec: JsonObject, annotations: Record<string, string> = {}): ApiObject =>
  decoded("v1", { metadata: { name: "a", annotations }, spec: { scaleTargetRef, maxReplicas: 3, ...spec } });
const cpu = (averageUtilization: number): JsonObject => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});
const others: JsonObject[] = [
  { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
  {
    type: "Pods",
    pods: {
      metric: { name: "x", selector: { matchLabels: { a: "b" } } },
      target: { type: "AverageValue", averageValue: "1" },
    },
  },
  {
    type: "Object",
    object: {
      describedObject: { kind: "A", name: "b", apiVersion: "v1" },
      target: { type: "Value", value: "2" },
      metric: { name: "y" },
    },
  },
  { type: "External", external: { metric: { name: "z" }, target: { type: "AverageValue", averageValue: "3" } } },
  {
    type: "ContainerResource",
    containerResource: { name: "cpu", target: { type: "Utilization", averageUtilization: 30 }, container: "c" },
  },
];
const otherMetrics =
  '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}},{"type":"Pods","pods":{"metricName":"x","targetAverageValue":"1","selector":{"matchLabels":{"a":"b"}}}},{"type":"Object","object":{"target":{"kind":"A","name":"b","apiVersion":"v1"},"metricName":"y","targetValue":"2"}},{"type":"External","external":{"metricName":"z","targetAverageValue":"3"}},{"type":"ContainerResource","containerResource":{"name":"cpu","targetAverageUtilization":30,"container":"c"}}]';

describe("from v2 to v1", () => {
  test("the utilization of CPUs is a field, other metrics are an annotation", () => {
    const { metadata, spec, apiVersion } = convertAutoscaler(second({ metrics: [cpu(50), ...others] }), "v1");
    expect(apiVersion).toBe("autoscaling/v1");
    expect(spec).toEqual({ scaleTargetRef, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 50 });
    expect(metadata.annotations).toEqual({ [`${prefix}metrics`]: otherMetrics });
  });

  test("the behavior is an annotation with the field names of Go", () => {
    const behavior = { scaleDown: { selectPolicy: "Disabled", policies: [] }, scaleUp: { tolerance: "0.1" } };
    const { annotations } = convertAutoscaler(second({ metrics: [cpu(50)], behavior }), "v1").metadata;
    expect(JSON.parse(annotations?.[`${prefix}behavior`] ?? "")).toMatchObject({
      ScaleUp: { StabilizationWindowSeconds: 0, Policies: [{ Type: "Pods", Value: 4, PeriodSeconds: 15 }, {}] },
      ScaleDown: { StabilizationWindowSeconds: null, SelectPolicy: "Disabled", Tolerance: null },
    });
  });

  test("the status keeps its metrics and conditions in annotations", () => {
    const condition = { type: "A", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z", reason: "<r>" };
    const current = { averageValue: "5m", averageUtilization: 7 };
    const currentMetrics = [{ type: "Resource", resource: { name: "cpu", current } }];
    const object = second({}, { currentReplicas: 1, desiredReplicas: 2, conditions: [condition], currentMetrics });
    const { metadata, status } = convertAutoscaler(object, "v1");
    expect(status).toEqual({ currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 7 });
    expect(metadata.annotations).toEqual({
      [`${prefix}conditions`]:
        '[{"type":"A","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"\\u003cr\\u003e"}]',
      [`${prefix}current-metrics`]:
        '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":7,"currentAverageValue":"5m"}}]',
    });
  });
});

describe("from v1 to v2", () => {
  test("the utilization of CPUs is the last metric, with a default", () => {
    expect(convertAutoscaler(first({ targetCPUUtilizationPercentage: 70 }), "v2").spec).toEqual({
      scaleTargetRef,
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [cpu(70)],
    });
    expect(convertAutoscaler(first({}), "v2").spec).toMatchObject({ metrics: [cpu(80)] });
    const annotations = { [`${prefix}metrics`]: otherMetrics };
    const { metadata, spec } = convertAutoscaler(first({ targetCPUUtilizationPercentage: 70 }, annotations), "v2");
    expect(spec).toMatchObject({ metrics: [...others, cpu(70)] });
    expect(metadata.annotations).toBeUndefined();
  });

  test("annotations that aren't JSON have no effect", () => {
    const annotations = { [`${prefix}metrics`]: "x", [`${prefix}behavior`]: "{}", [`${prefix}conditions`]: "1" };
    expect(convertAutoscaler(first({}, annotations), "v2")).toEqual(convertAutoscaler(first({}), "v2"));
  });
});

test("v2 never has the annotations of v1", () => {
  const object = second({});
  const annotations = { a: "b", [`${prefix}metrics`]: otherMetrics };
  expect(decoded("v2", { ...object, metadata: { name: "a", annotations } }).metadata.annotations).toEqual({ a: "b" });
});

test("the result of both conversions is the object", () => {
  const object = second({ metrics: [...others, cpu(50)], behavior: { scaleUp: { selectPolicy: "Min" } } });
  expect(convertAutoscaler(convertAutoscaler(structuredClone(object), "v1"), "v2")).toEqual(object);
});
