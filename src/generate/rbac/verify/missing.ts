import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { listed } from "../../../text/list.ts";
import { allowsName, covers, type Grant, isAbout, type MarkedGrant, resourceText } from "./grants.ts";
import type { PlacedNeed } from "./needs.ts";

/** The usual order of verbs. */
const verbOrder = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
  "approve",
  "sign",
];

/** Reports permissions that the code needs but no role grants: one finding per resource, at its first use. */
export function missingRights(
  needs: readonly PlacedNeed[],
  grants: readonly Grant[],
  marked: readonly MarkedGrant[],
  namespaced: boolean,
): Diagnostic[] {
  const missing = needs.filter((need) => !need.maybe && !grants.some((grant) => covers(grant, need)));
  const byResource = new Map<string, PlacedNeed[]>();
  for (const need of missing) {
    const key = `${need.resource.group}/${resourceText(need.resource, need.subresource)}`;
    byResource.set(key, [...(byResource.get(key) ?? []), need]);
  }
  const namespaces = [...new Set(marked.map(({ namespace }) => namespace))].filter((each) => each !== "");
  const usual = namespaced && namespaces.length === 1 ? namespaces[0]! : "";
  return [...byResource.values()].map((each) => finding(each, grants, marked, usual));
}

function finding(
  needs: readonly PlacedNeed[],
  grants: readonly Grant[],
  marked: readonly MarkedGrant[],
  usual: string,
): Diagnostic {
  const [first] = needs as [PlacedNeed];
  const { resource, subresource, access } = first;
  const text = resourceText(resource, subresource);
  const verbs = verbOrder.filter((verb) => needs.some((need) => need.verb === verb));
  const namespace = resource.scope === "Cluster" || usual === "" ? "" : `,namespace=${usual}`;
  const names = new Set(needs.map((need) => need.name));
  const named = names.size === 1 && first.name !== undefined ? `,resourceNames=${first.name}` : "";
  const marker = `// +kubebuilder:rbac:groups=${resource.group || "core"},resources=${text}${named},verbs=${verbs.join(";")}${namespace}`;
  const calls = [...new Set(needs.map((need) => need.access.call))].join(", ");
  return {
    id: "rbac-missing",
    severity: "error",
    message: `${calls}: no marker allows ${listed(verbs)} of ${text}${inGroup(resource.group)}${narrowly(needs, grants)}`,
    ...access.at,
    hint: `add \`${marker}\`${whereTo(access.at.file, marked)}`,
  };
}

/** Explains why a permission that seems to be granted isn't. */
function narrowly(needs: readonly PlacedNeed[], grants: readonly Grant[]): string {
  const near = needs.flatMap((need) =>
    grants.filter((grant) => isAbout(grant, need) && grant.verbs.some((verb) => verb === "*" || verb === need.verb)),
  );
  if (near.length === 0) return "";
  const [{ resource }] = needs as [PlacedNeed];
  const named = near.find((grant) => needs.some((need) => !allowsName(grant, need)));
  if (named) return `: resourceNames=${named.names.join(";")} doesn't cover this call`;
  const where = `only in the namespace ${near[0]?.namespace}`;
  return resource.scope === "Cluster"
    ? `: ${where}, but the resource is cluster-scoped`
    : `: ${where}, but the call covers all namespaces`;
}

/** Suggests a place next to other markers, if the file has any. */
function whereTo(file: string, marked: readonly MarkedGrant[]): string {
  const lines = marked.filter(({ marker }) => marker.line.file === file).map(({ marker }) => marker.line.line);
  return lines.length === 0 ? "" : ` below line ${Math.max(...lines)}`;
}

/** Formats a group for messages; the core group isn't mentioned. */
export function inGroup(group: string): string {
  return group === "" ? "" : ` in group ${group}`;
}
