// Makes the roles of a namespaced manager cluster-wide if the value `rbac.namespaced` is false.
import type { ChartModel } from "./model.ts";
import { asMap, changeNode, expression, type Node, nodeAt, plain, plainValue } from "./nodes.ts";
import type { ChartObject } from "./object.ts";

/** Whether a role is a helper for users. The manager doesn't need it. */
export function isHelperRole({ origin }: ChartObject): boolean {
  return /^config\/rbac\/.*_(admin|editor|viewer)_role\.yaml$/.test(origin);
}

/** The parts of the input that the rule reads. */
export interface ScopeInput {
  readonly namespaced: boolean;
  readonly model: Pick<ChartModel, "objects">;
}

/** Makes a Role or RoleBinding of a namespaced manager cluster-wide if `rbac.namespaced` is false. */
export function scoped(node: Node, object: ChartObject, { namespaced, model }: ScopeInput): Node {
  if (!namespaced || !isScoped(object)) return node;
  const names = clusterWideNames(model.objects);
  const kinded = changeNode(node, ["kind"], () => clusterKind(object.kind));
  const renamed = withName(kinded, ["metadata", "name"], names.get(keyOf(object)));
  const map = asMap(nodeAt(renamed, "metadata"));
  const unbound = changeNode(renamed, ["metadata"], () =>
    map === undefined
      ? undefined
      : {
          ...map,
          entries: map.entries.map((entry) =>
            entry.key === "namespace" ? { ...entry, when: ".Values.rbac.namespaced" } : entry,
          ),
        },
  );
  const role = object.kind === "RoleBinding" ? nodeAt(node, "roleRef") : undefined;
  if (role === undefined || plainValue(nodeAt(role, "kind")) !== "Role") return unbound;
  const key = keyOf({ kind: "Role", name: String(plainValue(nodeAt(role, "name"))) });
  const bound = changeNode(unbound, ["roleRef", "kind"], () => clusterKind("Role"));
  return withName(bound, ["roleRef", "name"], names.get(key));
}

function isScoped(object: ChartObject): boolean {
  const isManagers = /^config\/rbac\/role(_binding)?\.yaml$/.test(object.origin);
  return (object.kind === "Role" || object.kind === "RoleBinding") && (isManagers || isHelperRole(object));
}

const keyOf = ({ kind, name }: Pick<ChartObject, "kind" | "name">): string => `${kind} ${name}`;

const clusterKind = (kind: string): Node =>
  expression(`{{ if $.Values.rbac.namespaced }}${kind}{{ else }}Cluster${kind}{{ end }}`);

/** Returns the names of objects whose own name another object has if they are cluster-wide. */
function clusterWideNames(objects: readonly ChartObject[]): Map<string, string> {
  const taken = new Set(objects.map(keyOf));
  const names = new Map<string, string>();
  for (const { kind, name } of objects.filter(isScoped)) {
    const isTaken = (free: string) => taken.has(keyOf({ kind: `Cluster${kind}`, name: free }));
    if (!isTaken(name)) continue;
    let free = `${name}-namespaced`;
    for (let count = 2; isTaken(free); count++) free = `${name}-namespaced-${count}`;
    names.set(keyOf({ kind, name }), free);
  }
  return names;
}

function withName(node: Node, path: readonly string[], other: string | undefined): Node {
  if (other === undefined) return node;
  return changeNode(node, path, (name = plain(other)) => ({
    is: "either",
    cases: [
      { when: ".Values.rbac.namespaced", node: name },
      { when: undefined, node: plain(other) },
    ],
  }));
}
