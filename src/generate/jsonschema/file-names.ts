/** The name of the file with all kinds. */
export const allFile = "all.json";

/** Returns the file of a version of a kind, in the layout of kubeconform and of catalogs of CRDs. */
export function schemaFile({ group, version, kind }: Record<"group" | "version" | "kind", string>): string {
  const name = `${kind.toLowerCase()}_${version}.json`;
  return group === "" ? name : `${group}/${name}`;
}
