// What Helm's users expect of the objects beyond what kustomize says: names of the release, labels, ports, and what the
// values can change.
import type { Value } from "../kustomize/build/values.ts";
import { both, type Condition } from "./conditions.ts";
import { type ManagerParts, managerParts, withMore } from "./deployment.ts";
import { type ChartModel, type ChartObject, marks } from "./model.ts";
import { asMap, changeNode, entry, expression, mapScalars, type Node, nodeAt, plain } from "./nodes.ts";
import { helper } from "./texts.ts";

/** An object as it goes into a template. */
export interface Ruled {
  readonly when: Condition;
  readonly node: Node;
  /** What of the manager's Deployment has become values. */
  readonly manager?: ManagerParts["values"];
}

/** What the rules go by. */
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

/** Roles for people, which the manager doesn't need itself. */
export function isHelperRole({ origin }: ChartObject): boolean {
  return /^config\/rbac\/.*_(admin|editor|viewer)_role\.yaml$/.test(origin);
}

function helperRole(object: ChartObject): Condition {
  return isHelperRole(object) ? ".Values.rbac.helpers.enabled" : undefined;
}

/** The account that the manager runs as. */
function isServiceAccount({ name }: ChartObject): boolean {
  return name === `${marks.namePrefix}controller-manager`;
}

/** Where the project's name stands in labels and selectors stands the chart's, and who manages the object is Helm. */
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

/** The ports that the manager serves on are values, and all that lead to them follow. */
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

/** Who runs the manager may be somebody else's account. */
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

/** Labels and annotations of the account, which clouds give it rights by. */
function ownServiceAccount(node: Node): Node {
  const labelled = withMore(node, ["metadata", "labels"], "serviceAccount.labels");
  return withMore(labelled, ["metadata", "annotations"], "serviceAccount.annotations");
}

/** CRDs stay when the release goes, and with them what people have made: taking them away is a decision of its own. */
function kept(node: Node): Node {
  return changeNode(node, ["metadata", "annotations"], (annotations) => {
    const map = asMap(annotations) ?? { is: "map" as const, entries: [], some: undefined };
    return { ...map, entries: [...map.entries, entry("helm.sh/resource-policy", plain("keep"), ".Values.crd.keep")] };
  });
}

/** Roles of a manager that watches namespaces can hold for all of them. */
function scoped(node: Node, object: ChartObject, { namespaced }: RuleInput): Node {
  const isManagers = /^config\/rbac\/role(_binding)?\.yaml$/.test(object.origin);
  if (!namespaced || !(isManagers || isHelperRole(object))) return node;
  const name = (kind: string) =>
    expression(`{{ if $.Values.rbac.namespaced }}${kind}{{ else }}Cluster${kind}{{ end }}`);
  const kinded = changeNode(node, ["kind"], () => name(object.kind));
  const map = asMap(nodeAt(kinded, "metadata"));
  const unbound = changeNode(kinded, ["metadata"], () =>
    map === undefined
      ? undefined
      : {
          ...map,
          entries: map.entries.map((each) =>
            each.key === "namespace" ? { ...each, when: ".Values.rbac.namespaced" } : each,
          ),
        },
  );
  return object.kind === "RoleBinding" ? changeNode(unbound, ["roleRef", "kind"], () => name("Role")) : unbound;
}
