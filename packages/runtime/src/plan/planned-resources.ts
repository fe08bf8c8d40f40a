import type { KubernetesObject } from "../api/index.ts";
import type { Overlay } from "./overlay.ts";

/** A definition, as far as discovery depends on it. */
interface Definition extends KubernetesObject {
  spec?: {
    group?: string;
    scope?: string;
    names?: { kind?: string; plural?: string };
    versions?: { name?: string; served?: boolean }[];
  };
}

/** Returns the entries of planned definitions in the answer to a discovery request, such as `/apis/example.com/v1`. */
export function plannedResources(path: string, { states }: Overlay): object[] {
  const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  return [...states]
    .filter(({ info, stored }) => info.plural === "customresourcedefinitions" && !stored)
    .map(({ planned }) => (planned as Definition | undefined)?.spec)
    .filter((spec) => spec?.group === group && spec?.versions?.some(({ name, served }) => served && name === version))
    .map((spec) => ({
      name: spec?.names?.plural,
      kind: spec?.names?.kind,
      namespaced: spec?.scope === "Namespaced",
      verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    }));
}
