import { pluralize } from "../../../kubernetes/plural.ts";
import type { Packages } from "../../packages/collect.ts";
import { kindName } from "../../packages/kind-name.ts";
import type { ApiPackage, TypeNode } from "../../packages/nodes.ts";
import { corePackageOf, goPackageOf } from "../../schema/core-types.ts";
import { type CorePackage, type CoreResource, corePackage } from "../../schema/core-types-data.ts";
import type { KindRef } from "../../source/api-calls/model.ts";

/** The resource of a kind, as in a role. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
  /** Undefined if only the API server can determine it. */
  readonly scope?: "Namespaced" | "Cluster";
}

/** Resolves kinds to resources: from the code, the packages, the tables of built-in kinds, or the rules for plurals. */
export function createResources(roots: readonly ApiPackage[], packages: Packages): (kind: KindRef) => Resource {
  const types = new Map<string, TypeNode>();
  for (const root of roots) {
    for (const type of packages.typesOf(root)) {
      const key = `${root.group}/${kindName(type)}`;
      if (root.group !== undefined && (!types.has(key) || type.markers.has("kubebuilder:resource"))) {
        types.set(key, type);
      }
    }
  }

  return ({ kind, group: named, version, module, plural, scope }) => {
    const table = module === undefined ? tableOf(named ?? "", version ?? "") : corePackage(corePackageOf(module) ?? "");
    const group = named ?? table?.group ?? "";
    const own = plural === undefined ? ownOf(types.get(`${group}/${kind}`)) : undefined;
    const core = resourceIn(table, kind);
    const resource = { plural: plural ?? own?.plural ?? core?.plural ?? pluralize(kind) };
    const where = scope ?? own?.scope ?? core?.scope;
    return { group, ...resource, ...(where ? { scope: where } : {}) };
  };
}

function ownOf(type: TypeNode | undefined): Resource | undefined {
  if (!type) return undefined;
  const marker = type.markers.get("kubebuilder:resource").at(-1);
  const { path, scope } = (marker?.value ?? {}) as { path?: string; scope?: string };
  return {
    group: type.package.group ?? "",
    plural: path || pluralize(kindName(type)),
    scope: scope === "Cluster" ? "Cluster" : "Namespaced",
  };
}

/** Returns the table of a group of Kubernetes, which is listed by the first label of the group's name. */
function tableOf(group: string, version: string): CorePackage | undefined {
  if (group !== "" && group.includes(".") && !group.endsWith(".k8s.io")) return undefined;
  const table = corePackage(goPackageOf(group === "" ? "core" : group.split(".", 1)[0]!, version));
  return (table?.group ?? "") === group ? table : undefined;
}

function resourceIn(table: CorePackage | undefined, kind: string): CoreResource | undefined {
  const about = table?.about[kind]?.kind;
  return about && "plural" in about ? (about as CoreResource) : undefined;
}
