import { shown } from "../project/names.ts";
import type { CoreKinds } from "../project/target.ts";

/** Looks kinds up in the tables of Kubernetes' own API, which are read when they are needed. */
export async function coreKindTable(): Promise<CoreKinds> {
  const { coreKind, coreKindsOf, coreTypesVersion, goPackageOf } = await import("../generate/schema/core-types.ts");
  return (directory, version, kind) => {
    const goPackage = goPackageOf(directory, version);
    const found = coreKind(goPackage, kind);
    if (found?.resource !== undefined) {
      return { plural: found.resource.plural, namespaced: found.resource.scope === "Namespaced" };
    }
    const known = coreKindsOf(goPackage);
    const allowed =
      known.length === 0 ? `it serves no version ${version} of the group` : `${known.slice(0, 12).join(", ")} are`;
    return `--kind ${shown(kind)} is no kind that Kubernetes ${coreTypesVersion} serves in ${directory}/${version}: ${allowed}`;
  };
}
