/** A small CRD of the group test.kubewright.io; the last version is the stored one. */
export function crd(plural: string, kind: string, versions: readonly string[] = ["v1"]) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.test.kubewright.io` },
    spec: {
      group: "test.kubewright.io",
      scope: "Namespaced",
      names: { plural, kind },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === versions.length - 1,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        subresources: { status: {} },
      })),
    },
  };
}
