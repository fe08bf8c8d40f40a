// Adapts objects to Helm conventions beyond the output of kustomize: release names, labels, ports, and fields set by values.
import type { Value } from "../../yaml/plain-values.ts";
import { isHelperRole, scoped } from "./cluster-wide.ts";
import { both, type Condition } from "./conditions.ts";
import { type ManagerParts, managerParts, withMore } from "./deployment.ts";
import type { ChartModel } from "./model.ts";
import { asMap, changeNode, entry, expression, mapScalars, type Node, nodeAt, plain } from "./nodes.ts";
import { type ChartObject, marks } from "./object.ts";
import { helper } from "./texts.ts";

/** An object with all rules applied. */
export interface Ruled {
  readonly when: Condition;
  readonly node: Node;
  /** The default values from the manager's Deployment. */
  readonly manager?: ManagerParts["values"];
}

/** The input of the rules. */
export interface RuleInput {
  readonly chart: string;
  readonly projectName: string;
  readonly namespaced: boolean;
  readonly model: ChartModel;
}

/** Applies all rules to an object. */
export function ruled(object: ChartObject, input: RuleInput): Ruled {
  const named = withServiceAccount(withLabels(withPorts(object, input), input), object, input);
  switch (object.kind) {
    case "CustomResourceDefinition":
      return { when: both(".Values.crd.enabled", object.when), node: kept(named) };
    case "ServiceAccount":
      return isServiceAccount(object)
        ? { when: both(".Values.serviceAccount.enabled", object.when), node: ownServiceAccount(named) }
        : { when: object.when, node: named };
    case "Deployment":
      return object.isManager ? managed(named, object) : { when: object.when, node: named };
    case "Role":
    case "RoleBinding":
      return { when: both(helperRole(object), object.when), node: scoped(named, object, input) };
    case "ClusterRole":
      return { when: both(helperRole(object), object.when), node: named };
    default:
      return { when: object.when, node: named };
  }
}

function managed(node: Node, object: ChartObject): Ruled {
  const parts = managerParts(node);
  return { when: both(".Values.manager.enabled", object.when), node: parts.node, manager: parts.values };
}

function helperRole(object: ChartObject): Condition {
  return isHelperRole(object) ? ".Values.rbac.helpers.enabled" : undefined;
}

/** Whether an object is the service account of the manager. */
function isServiceAccount({ name }: ChartObject): boolean {
  return name === `${marks.namePrefix}controller-manager`;
}

/** Replaces the project's name with the chart's in labels and selectors, and sets Helm as the managing tool. */
function withLabels(node: Node, { chart, projectName }: RuleInput): Node {
  const renamed = mapScalars(node, (value, path) => {
    switch (path.at(-1)) {
      case "app.kubernetes.io/name":
        return value === projectName ? expression(helper(chart, "name")) : undefined;
      case "app.kubernetes.io/managed-by":
        return value === "kustomize" ? expression("{{ $.Release.Service }}") : undefined;
      default:
        return undefined;
    }
  });
  const labels = asMap(nodeAt(renamed, "metadata", "labels"));
  if (labels === undefined) return renamed;
  return changeNode(renamed, ["metadata", "labels"], () => ({
    ...labels,
    entries: [
      ...labels.entries,
      entry("app.kubernetes.io/instance", expression("{{ $.Release.Name | quote }}")),
      entry("helm.sh/chart", expression(`{{ printf "%s-%s" $.Chart.Name $.Chart.Version | replace "+" "_" }}`)),
    ],
  }));
}

/** Replaces the manager's ports with values, in all fields that refer to them. */
function withPorts({ node, kind }: ChartObject, { model: { ports } }: RuleInput): Node {
  const values = new Map<Value, string>();
  if (ports.health !== undefined && kind === "Deployment") values.set(ports.health, ".Values.manager.healthProbe.port");
  if (ports.metrics !== undefined) values.set(ports.metrics, ".Values.metrics.port");
  if (ports.webhook !== undefined) values.set(ports.webhook, ".Values.webhook.port");
  if (!["Deployment", "Service", "NetworkPolicy"].includes(kind)) return node;
  return mapScalars(node, (value, path) => {
    const name = /^(port|targetPort|containerPort)$/.test(path.at(-1) ?? "") ? values.get(value) : undefined;
    return name === undefined ? undefined : expression(`{{ $${name} }}`);
  });
}

/** Lets users run the manager with an existing service account. */
function withServiceAccount(node: Node, { kind }: ChartObject, { chart }: RuleInput): Node {
  const own = `${marks.namePrefix}controller-manager`;
  const isAccount = (path: readonly string[]) =>
    path.at(-1) === "serviceAccountName" ||
    (kind.endsWith("RoleBinding") && path.join(".") === "subjects.*.name") ||
    (kind === "ServiceAccount" && path.join(".") === "metadata.name");
  return mapScalars(node, (value, path) =>
    value === own && isAccount(path) ? expression(helper(chart, "serviceAccountName")) : undefined,
  );
}

/** Adds labels and annotations from values, with which cloud providers grant permissions to the account. */
function ownServiceAccount(node: Node): Node {
  const labelled = withMore(node, ["metadata", "labels"], "serviceAccount.labels");
  return withMore(labelled, ["metadata", "annotations"], "serviceAccount.annotations");
}

/** Keeps CRDs when the release is uninstalled, because deleting them would delete the users' objects. */
function kept(node: Node): Node {
  return changeNode(node, ["metadata", "annotations"], (annotations) => {
    const map = asMap(annotations) ?? { is: "map" as const, entries: [], some: undefined };
    return { ...map, entries: [...map.entries, entry("helm.sh/resource-policy", plain("keep"), ".Values.crd.keep")] };
  });
}
