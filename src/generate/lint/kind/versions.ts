import type { MadeCrd } from "../../crd/crds.ts";
import type { TypeNode } from "../../packages/nodes.ts";
import type { Finding } from "../finding.ts";

/** Objects are stored in one version. The API server refuses CRDs with two. */
export function storageVersions(
  { document, types }: MadeCrd,
  report: (finding: Finding, type: TypeNode) => void,
): void {
  const stored = document.spec.versions.filter((version) => version.storage).map((version) => version.name);
  for (const name of stored.slice(1)) {
    const type = types.find((each) => each.package.version === name);
    const finding: Finding = {
      id: "several-storage-versions",
      message: `${document.spec.names.kind} is stored in ${stored.join(" and ")}, but one version only can be it`,
      hint: "leave +kubebuilder:storageversion on one of them",
      markers: ["kubebuilder:storageversion"],
    };
    if (type) report(finding, type);
  }
}
