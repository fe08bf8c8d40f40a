import type { GeneratedCrd } from "../../crd/crds.ts";
import { argumentsOf } from "../../markers/index.ts";
import type { TypeNode } from "../../packages/nodes.ts";
import type { Finding } from "../model/finding.ts";

/** Reports CRDs with more than one storage version, which the API server rejects. */
export function storageVersions(
  { document, types }: GeneratedCrd,
  report: (finding: Finding, type: TypeNode) => void,
): void {
  const stored = document.spec.versions.filter((version) => version.storage).map((version) => version.name);
  for (const name of stored.slice(1)) {
    const type = types.find((typeNode) => typeNode.package.version === name);
    const finding: Finding = {
      id: "several-storage-versions",
      message: `${document.spec.names.kind} has more than one storage version: ${stored.join(" and ")}`,
      hint: "keep +kubebuilder:storageversion on one of them only",
      markers: ["kubebuilder:storageversion"],
    };
    if (type) report(finding, type);
  }
}

/** Reports `+kubebuilder:resource` markers that another version of the kind overrides: a CRD has one name and one scope. */
export function differentResources(
  { document: { spec }, types }: GeneratedCrd,
  report: (finding: Finding, type: TypeNode) => void,
): void {
  if (types.length < 2) return;
  const { plural, singular, shortNames = [], categories = [] } = spec.names;
  for (const type of types) {
    const markers = type.markers.get("kubebuilder:resource");
    const values = markers.map(({ value }) => argumentsOf("kubebuilder:resource", value));
    const last = values.at(-1);
    if (!last) continue;
    const arguments_ = [
      ["path", values.findLast(({ path }) => path !== "")?.path ?? plural, plural],
      ["singular", values.findLast((each) => each.singular !== "")?.singular ?? singular, singular],
      ["scope", last.scope || "Namespaced", spec.scope],
      ["shortName", (last.shortName ?? []).join(";"), shortNames.join(";")],
      ["categories", (last.categories ?? []).join(";"), categories.join(";")],
    ] as const;
    for (const [argument, own, used] of arguments_) {
      if (own === used) continue;
      report(
        {
          id: "different-resource",
          message: `${argument} is ${JSON.stringify(own)} here, but ${JSON.stringify(used)} in another version, which is used`,
          hint: "use the same arguments of +kubebuilder:resource in all versions, because the CRD has one value",
          markers: ["kubebuilder:resource"],
          argument,
        },
        type,
      );
    }
  }
}
