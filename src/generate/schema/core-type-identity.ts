// Types of other libraries that are the Kubernetes API's own, whatever shape these libraries give them.

import { corePackageOf, goPackageOf, loadCoreType } from "./core-types.ts";
import { corePackage } from "./core-types-data.ts";

/** A type of the Kubernetes API by its Go name. */
export interface CoreTypeName {
  readonly goPackage: string;
  readonly name: string;
}

/**
 * The core type that an import names: from `@kubewright/runtime/api/<group>/<version>`, from `@kubernetes/client-node`
 * (`V1PodTemplateSpec`, `CoreV1Event`) or from `kubernetes-models` (`IDeployment` of `kubernetes-models/apps/v1`).
 *
 * @returns undefined for any other module, and for names that no table has.
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

/** Where to look for a type that is named without its group; a name that several groups have is written with it. */
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
    const found = existing(goPackageOf(directory, version.toLowerCase()), type);
    if (found) return found;
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

/** The directory of a group in k8s.io/api is its first label; one is named otherwise. */
function packageOfGroup(group: string, version: string): string {
  if (group === "") return goPackageOf("core", version);
  const first = goPackageOf(group.split(".")[0] ?? group, version);
  return corePackage(first)?.group === group ? first : goPackageOf("apiserverinternal", version);
}

/** The modules of the runtime's API in which a name is looked for, the likeliest first. */
export const coreModules: readonly string[] = groups.map(
  (directory) => `@kubewright/runtime/api/${directory}/${directory === "autoscaling" ? "v2" : "v1"}`,
);

/** The names that a module of the runtime's API has; none where there is no such module. */
export function coreNamesOf(moduleSpecifier: string): string[] {
  const goPackage = corePackageOf(moduleSpecifier);
  return Object.keys((goPackage === undefined ? undefined : corePackage(goPackage))?.schemas ?? {});
}
