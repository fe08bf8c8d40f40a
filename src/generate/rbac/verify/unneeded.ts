import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { listed } from "../../../text/list.ts";
import type { Accesses } from "../../source/api-calls/model.ts";
import { isAbout, type MarkedGrant } from "./grants.ts";
import { inGroup } from "./missing.ts";
import type { PlacedNeed } from "./needs.ts";

const reads = ["get", "list", "watch"];
/** Verbs whose use isn't visible in code: the API server checks them as part of other requests. */
const indirect = new Set(["impersonate", "use", "attest"]);
/** Verbs that the API server checks when objects of certain kinds are written. */
const ofWrites = new Set(["bind", "escalate", "approve", "sign"]);

/** Reports the permissions of markers that no code uses. If the use isn't certain, nothing is reported. */
export function unneededRights(
  marked: readonly MarkedGrant[],
  needs: readonly PlacedNeed[],
  accesses: Accesses,
): Diagnostic[] {
  if (accesses.blind.length > 0) return [];
  const ofAnyKind = accesses.accesses.filter(({ unknown }) => unknown !== undefined);
  const anyKindVerbs = new Set(ofAnyKind.flatMap(verbsOf));
  return marked.flatMap((grant) => {
    const parts = partsOf(grant, (group, resource) => {
      if (resource.endsWith("/finalizers") && accesses.blocksDeletion) return grant.verbs;
      const wanted = wantedVerbs({ ...grant, groups: [group], resources: [resource] }, needs);
      if (grant.verbs.includes("*")) return wanted.size > 0 || anyKindVerbs.size > 0 ? grant.verbs : [];
      if (wanted.has("*")) return grant.verbs;
      return grant.verbs.filter(
        (verb) =>
          wanted.has(verb) ||
          anyKindVerbs.has(verb) ||
          indirect.has(verb) ||
          (anyKindVerbs.size > 0 && ofWrites.has(verb)),
      );
    });
    return finding(grant, parts);
  });
}

interface Part {
  readonly group: string;
  readonly resource: string;
  readonly kept: readonly string[];
}

function partsOf(grant: MarkedGrant, keptOf: (group: string, resource: string) => readonly string[]): Part[] {
  return grant.groups.flatMap((group) =>
    grant.resources.map((resource) => ({ group, resource, kept: keptOf(group, resource) })),
  );
}

function verbsOf({ asks, informer, read }: Accesses["accesses"][number]): string[] {
  const verbs = asks.flatMap((ask) => ask.verbs);
  return informer || read ? [...reads, ...verbs] : verbs;
}

/** Returns the verbs that are used on the resources of a permission. A watched resource uses all read verbs. */
function wantedVerbs(grant: MarkedGrant, needs: readonly PlacedNeed[]): ReadonlySet<string> {
  const about = needs.filter((need) => isAbout(grant, need));
  const watched = about.some(({ access, subresource }) => access.informer && subresource === undefined);
  return new Set([...about.map(({ verb }) => verb), ...(watched ? reads : [])]);
}

/**
 * Reports the unneeded parts of a marker. A marker for several groups and resources grants each of them the same verbs, and
 * not all pairs exist: `apps;batch` with `deployments;jobs`. So only those verbs, resources and groups are reported that are
 * unneeded in all pairs.
 */
function finding(grant: MarkedGrant, parts: readonly Part[]): Diagnostic[] {
  const { marker, value } = grant;
  if (parts.length === 0) return [];
  const verbs = grant.verbs.filter((verb) => parts.some(({ kept }) => kept.includes(verb)));
  const resources = grant.resources.filter((each) =>
    parts.some(({ resource, kept }) => resource === each && kept.length),
  );
  const groups = grant.groups.filter((each) => parts.some(({ group, kept }) => group === each && kept.length));
  const isWhole = [verbs, resources, groups].every((kept, index) => {
    return kept.length === [grant.verbs, grant.resources, grant.groups][index]?.length;
  });
  if (isWhole) return [];
  const { file, line, column } = marker.line;
  const at = { id: "rbac-unneeded", severity: "warning", file, line, column } as const;
  const named = `${listed(grant.resources)}${grant.groups.length === 1 ? inGroup(grant.groups[0] ?? "") : ""}`;
  if (verbs.length === 0)
    return [{ ...at, message: `no code needs permissions for ${named}`, hint: "remove the marker" }];
  const gone = (all: readonly string[], kept: readonly string[]) => all.filter((each) => !kept.includes(each));
  const parted = [
    ...(verbs.length < grant.verbs.length ? [`${listed(gone(grant.verbs, verbs))} of ${named}`] : []),
    ...(resources.length < grant.resources.length
      ? [`permissions for ${listed(gone(grant.resources, resources))}`]
      : []),
    ...(groups.length < grant.groups.length
      ? [`permissions in group ${listed(gone(grant.groups, groups).map((group) => group || "core"))}`]
      : []),
  ];
  const rest = [
    ...(value.resourceNames ? [`resourceNames=${value.resourceNames.join(";")}`] : []),
    `verbs=${verbs.join(";")}`,
    ...(value.namespace ? [`namespace=${value.namespace}`] : []),
  ];
  const shown = groups.map((group) => group || "core").join(";");
  const written = `// +kubebuilder:rbac:groups=${shown},resources=${resources.join(";")},${rest.join(",")}`;
  return [{ ...at, message: `no code needs ${parted.join(", nor ")}`, hint: `change the marker to \`${written}\`` }];
}
