import type { KubernetesObject } from "../api/index.ts";
import { isJsonObject, ownField, setField } from "../json/object.ts";
import type { ScalePaths } from "./kinds.ts";
import type { StoredObject } from "./store.ts";

/** autoscaling/v1 Scale. */
export interface Scale extends KubernetesObject {
  spec?: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** Returns the scale subresource of an object. */
export function scaleOf(object: StoredObject, paths: ScalePaths): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.labelSelectorPath ? read(object, paths.labelSelectorPath) : undefined;
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, paths.specReplicasPath) },
    status: {
      replicas: numberAt(object, paths.statusReplicasPath),
      ...(selector === undefined ? {} : { selector: selectorText(selector) }),
    },
  };
}

/** Returns a copy of an object with the replicas of a scale. */
export function withReplicas(object: StoredObject, paths: ScalePaths, scale: Scale): KubernetesObject {
  const copy = { ...object } as Record<string, unknown>;
  const keys = paths.specReplicasPath.split(".").slice(1);
  let at = copy;
  for (const key of keys.slice(0, -1)) {
    const old = ownField(at, key);
    const next = isJsonObject(old) ? { ...old } : {};
    setField(at, key, next);
    at = next;
  }
  setField(at, keys.at(-1) ?? "", scale.spec?.replicas ?? 0);
  return copy as unknown as KubernetesObject;
}

function read(object: unknown, path: string): unknown {
  let value = object;
  for (const key of path.split(".").slice(1)) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

function numberAt(object: unknown, path: string): number {
  const value = read(object, path);
  return typeof value === "number" ? value : 0;
}

// Custom resources contain the selector as a string, most built-in kinds as a LabelSelector, and ReplicationController as
// labels.
function selectorText(selector: unknown): string {
  if (typeof selector === "string" || !isJsonObject(selector)) return String(selector);
  const labels = isJsonObject(selector.matchLabels) ? selector.matchLabels : selector;
  const equalities = Object.entries(labels)
    .filter(([, value]) => typeof value === "string")
    .map(([key, value]) => `${key}=${value}`);
  const expressions = (Array.isArray(selector.matchExpressions) ? selector.matchExpressions : []).map(requirementText);
  return [...equalities, ...expressions].join(",");
}

function requirementText({ key, operator, values = [] }: { key: string; operator: string; values?: string[] }): string {
  if (operator === "Exists") return key;
  if (operator === "DoesNotExist") return `!${key}`;
  return `${key} ${operator === "In" ? "in" : "notin"} (${values.join(",")})`;
}
