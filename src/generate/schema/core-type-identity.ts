// Recognizes types of other libraries that are built-in API types, regardless of how those libraries declare them.

import { corePackageOf, goPackageOf, loadCoreType } from "./core-types.ts";
import { corePackage } from "./core-types-data.ts";

/** A built-in API type by its Go name. */
export interface CoreTypeName {
  readonly goPackage: string;
  readonly name: string;
}

/**
 * Returns the built-in type that an import refers to: from `@kubewright/runtime/api/<group>/<version>`, from
 * `@kubernetes/client-node` (`V1PodTemplateSpec`, `CoreV1Event`) or from `kubernetes-models` (`IDeployment` of
 * `kubernetes-models/apps/v1`).
 *
 * @returns undefined for any other module, and for unknown names
 */
export function coreTypeOf(moduleSpecifier: string, name: string): CoreTypeName | undefined {
  const goPackage = corePackageOf(moduleSpecifier);
  if (goPackage !== undefined) return existing(goPackage, name);
  if (moduleSpecifier === "@kubernetes/client-node") return clientNodeType(name);
  return kubernetesModelsType(moduleSpecifier, name);
}

function existing(goPackage: string, name: string): CoreTypeName | undefined {
  return loadCoreType(goPackage, name) && { goPackage, name };
}

/** The groups to search for a type without a group in its name, in this order. */
const groups = [
  "core meta apps batch networking rbac autoscaling policy coordination apiextensions admissionregistration",
  "storage discovery events scheduling certificates authentication authorization node flowcontrol resource",
  "apiserverinternal storagemigration",
].flatMap((line) => line.split(" "));

function clientNodeType(name: string): CoreTypeName | undefined {
  if (name === "IntOrString") return existing("k8s.io/apimachinery/pkg/util/intstr", name);
  const [, group, version, type] = /^([A-Z][a-z]+)?(V[0-9]+(?:(?:alpha|beta)[0-9]+)?)([A-Z].*)$/.exec(name) ?? [];
  if (version === undefined || type === undefined) return undefined;
  for (const directory of group === undefined ? groups : [group.toLowerCase()]) {
    const coreType = existing(goPackageOf(directory, version.toLowerCase()), type);
    if (coreType) return coreType;
  }
  return undefined;
}

function kubernetesModelsType(moduleSpecifier: string, name: string): CoreTypeName | undefined {
  const [, group, version, file] =
    /^kubernetes-models\/(?:([a-z0-9.]+)\/)?(v[0-9][a-z0-9]*)(?:\/([A-Za-z0-9]+))?$/.exec(moduleSpecifier) ?? [];
  const meta = /^@kubernetes-models\/apimachinery\/apis\/meta\/(v1)(?:\/[A-Za-z0-9]+)?$/.exec(moduleSpecifier);
  if (!meta && version === undefined) return undefined;
  const goPackage = meta ? goPackageOf("meta", "v1") : packageOfGroup(group ?? "", version ?? "");
  const type = name === "default" && file !== undefined ? file : name;
  // `IPBlock` is a name, `IPod` the interface of the class `Pod`.
  return existing(goPackage, type) ?? (/^I[A-Z]/.test(type) ? existing(goPackage, type.slice(1)) : undefined);
}

/** Returns the Go package of a group. Its directory in k8s.io/api is the group's first label, with one exception. */
function packageOfGroup(group: string, version: string): string {
  if (group === "") return goPackageOf("core", version);
  const first = goPackageOf(group.split(".")[0] ?? group, version);
  return corePackage(first)?.group === group ? first : goPackageOf("apiserverinternal", version);
}

/** The modules of the runtime's API to search for a name, the most likely ones first. */
export const coreModules: readonly string[] = groups.map(
  (directory) => `@kubewright/runtime/api/${directory}/${directory === "autoscaling" ? "v2" : "v1"}`,
);

/** Returns the names in a module of the runtime's API; none if the module doesn't exist. */
export function coreNamesOf(moduleSpecifier: string): string[] {
  const goPackage = corePackageOf(moduleSpecifier);
  return Object.keys((goPackage === undefined ? undefined : corePackage(goPackage))?.schemas ?? {});
}
