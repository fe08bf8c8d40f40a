import { corePackage } from "../schema/core-types-data.ts";

/** Types whose sections aren't named after their group. */
const special: Readonly<Record<string, string>> = {
  "k8s.io/apimachinery/pkg/api/resource.Quantity": "quantity-resource-core",
  "k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intorstring-intstr-util",
  "k8s.io/apimachinery/pkg/runtime.RawExtension": "rawextension-runtime-pkg",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON": "json-v1-apiextensions-k8s-io",
};

/** Scalars with a section of their own. Other named scalars, such as PullPolicy, are described where they are used. */
const scalars: ReadonlySet<string> = new Set(["Time", "MicroTime", "Duration"]);

/**
 * Returns the address of a core type in the API reference of Kubernetes.
 *
 * @param version - a minor version, such as `1.37`
 * @returns undefined for a type without a section there
 */
export function kubernetesLink(
  goPackage: string,
  name: string,
  { version, isScalar }: { readonly version: string; readonly isScalar: boolean },
): string | undefined {
  const own = special[`${goPackage}.${name}`];
  const section = own ?? (isScalar && !scalars.has(name) ? undefined : sectionOf(goPackage, name));
  if (section === undefined) return undefined;
  return `https://kubernetes.io/docs/reference/generated/kubernetes-api/v${version}/#${section}`;
}

function sectionOf(goPackage: string, name: string): string | undefined {
  const last = name.toLowerCase();
  if (goPackage === "k8s.io/apimachinery/pkg/apis/meta/v1") return `${last}-v1-meta`;
  const { group, version } = corePackage(goPackage) ?? {};
  if (group === undefined || version === undefined) return undefined;
  return `${last}-${version}-${group === "" ? "core" : group.replaceAll(".", "-")}`;
}
