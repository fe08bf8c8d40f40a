import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import type { CoreKinds } from "../../project/target.ts";
import { shown } from "../../text/shown.ts";

/** Returns a lookup of built-in kinds in the tables of the Kubernetes API. The tables are loaded on demand. */
export async function coreKindTable(): Promise<CoreKinds> {
  const { coreKind, coreKindsOf, coreTypesVersion, goPackageOf } = await import("../../generate/schema/core-types.ts");
  return (directory, version, kind) => {
    const goPackage = goPackageOf(directory, version);
    const kindTable = coreKind(goPackage, kind);
    if (kindTable?.resource !== undefined) {
      return { plural: kindTable.resource.plural, namespaced: kindTable.resource.scope === "Namespaced" };
    }
    const kinds = coreKindsOf(goPackage);
    const wrong = `--kind ${shown(kind)} isn't a kind of ${directory}/${version} in Kubernetes ${coreTypesVersion}`;
    if (kinds.length === 0) return `${wrong}: the group has no version ${version}`;
    const near = didYouMean(kind, kinds);
    return `${wrong}${near === undefined ? "" : ` (did you mean ${near}?)`}: use ${kinds.slice(0, 12).join(", ")}${kinds.length > 12 ? ", …" : ""}`;
  };
}
