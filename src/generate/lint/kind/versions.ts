import type { GeneratedCrd } from "../../crd/crds.ts";
import type { TypeNode } from "../../packages/nodes.ts";
import type { Finding } from "../finding.ts";

/** Reports CRDs with more than one storage version, which the API server rejects. */
export function storageVersions(
  { document, types }: GeneratedCrd,
  report: (finding: Finding, type: TypeNode) => void,
): void {
  const stored = document.spec.versions.filter((version) => version.storage).map((version) => version.name);
  for (const name of stored.slice(1)) {
    const type = types.find((each) => each.package.version === name);
    const finding: Finding = {
      id: "several-storage-versions",
      message: `${document.spec.names.kind} has more than one storage version: ${stored.join(" and ")}`,
      hint: "keep +kubebuilder:storageversion on one of them only",
      markers: ["kubebuilder:storageversion"],
    };
    if (type) report(finding, type);
  }
}
