import type { ApiObject } from "../../model/resource.ts";
import { ensureObject, objectAt, objectsAt, setDefaults, setPointers } from "./values.ts";

/**
 * Sets the defaults of a HorizontalPodAutoscaler of autoscaling/v2.
 *
 * @param autoscaler - the object; changed
 */
export function defaultAutoscaler(autoscaler: ApiObject): void {
  const spec = ensureObject(autoscaler, "spec");
  setDefaults(spec, { minReplicas: 1 });
  if (objectsAt(spec, "metrics").length === 0) {
    spec.metrics = [
      { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
    ];
  }
  const behavior = objectAt(spec, "behavior");
  if (behavior === undefined) return;
  const up = ensureObject(behavior, "scaleUp");
  setPointers(up, {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ],
  });
  setPointers(ensureObject(behavior, "scaleDown"), {
    selectPolicy: "Max",
    policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
  });
}
