import type { JsonObject } from "@kubewright/cel/json";
import { type LabelRequirement, matchesLabels } from "../../../request/label-selector.ts";
import { selectorOfObject } from "../../../request/selector-object.ts";
import type { Pod } from "../common/objects.ts";
import type { Node } from "./node.ts";

interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

interface NodeTerm {
  matchExpressions?: JsonObject[];
  matchFields?: { key: string; operator: string; values?: string[] }[];
}

/**
 * Finds out why a Pod can't run on a node.
 *
 * @param pod - the Pod
 * @param node - the node
 * @returns the scheduler's reason; undefined if it can
 */
export function misfitOf(pod: Pod, node: Node): string | undefined {
  const { spec } = pod;
  const tolerations = (spec.tolerations ?? []) as Toleration[];
  const unschedulable = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  if (node.spec.unschedulable === true && !tolerates(tolerations, unschedulable)) return "node(s) were unschedulable";
  const taint = (node.spec.taints ?? []).find(
    (taint) => taint.effect !== "PreferNoSchedule" && !tolerates(tolerations, taint),
  );
  if (taint !== undefined && taint.key !== unschedulable.key) {
    return `node(s) had untolerated taint(s)`;
  }
  return matchesNode(spec as JsonObject, node) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}

function tolerates(
  tolerations: readonly Toleration[],
  taint: { key: string; value?: string; effect: string },
): boolean {
  return tolerations.some(
    ({ key = "", operator, value = "", effect = "" }) =>
      (effect === "" || effect === taint.effect) &&
      (key === "" || key === taint.key) &&
      (operator === "Exists" || value === (taint.value ?? "")),
  );
}

function matchesNode({ nodeSelector, affinity }: JsonObject, { metadata }: Node): boolean {
  const labels = metadata.labels ?? {};
  const wanted = Object.entries((nodeSelector ?? {}) as { [key: string]: string });
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  const required = ((affinity ?? {}) as { nodeAffinity?: JsonObject }).nodeAffinity
    ?.requiredDuringSchedulingIgnoredDuringExecution as { nodeSelectorTerms?: NodeTerm[] } | undefined;
  if (required === undefined) return true;
  return (required.nodeSelectorTerms ?? []).some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length === 0 && matchFields.length === 0) return false;
    const fields = matchFields.every(({ operator, values = [] }) =>
      operator === "In" ? values.includes(metadata.name as string) : !values.includes(metadata.name as string),
    );
    return fields && matchesLabels(matchExpressions.flatMap(requirementOf), labels);
  });
}

function requirementOf(expression: JsonObject): readonly LabelRequirement[] {
  const { key, operator, values } = expression as { key: string; operator: string; values?: string[] };
  if (operator === "Gt" || operator === "Lt") {
    return [{ key, operator: operator === "Gt" ? "gt" : "lt", values: values ?? [] }];
  }
  return selectorOfObject({ matchExpressions: [expression] });
}
