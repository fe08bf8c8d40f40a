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

/** Returns the entries of definitions in the answer to a discovery request, such as `/apis/example.com/v1`. */
export function definedResources(path: string, { definitions }: Overlay): { name: string }[] {
  const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  return definitions
    .map((definition) => (definition as Definition).spec)
    .filter((spec) => spec?.group === group && spec?.versions?.some(({ name, served }) => served && name === version))
    .map((spec) => ({
      name: spec?.names?.plural ?? "",
      kind: spec?.names?.kind,
      namespaced: spec?.scope === "Namespaced",
      verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    }));
}
