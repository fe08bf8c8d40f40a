import { argumentsOf, markerRegistry, readMarker } from "../../generate/markers/index.ts";
import type { Permission } from "../../project/role-namespaces.ts";

/** Returns the permissions of markers for roles. Invalid markers, which `scaffold generate` reports, have none. */
export function permissionsIn(markers: readonly string[]): Permission[] {
  return markers.flatMap((text) => {
    const definition = markerRegistry.lookup(text, "package");
    if (definition?.name !== "kubebuilder:rbac") return [];
    const { marker } = readMarker({ text, file: "", line: 1, column: 1 }, definition);
    if (marker === undefined) return [];
    const { groups, resources, verbs, namespace, roleName } = argumentsOf("kubebuilder:rbac", marker.value);
    return [
      {
        ...{ groups: groups ?? [], resources: resources ?? [], verbs: verbs ?? [], namespace },
        roleName: roleName === "" ? undefined : roleName,
      },
    ];
  });
}
