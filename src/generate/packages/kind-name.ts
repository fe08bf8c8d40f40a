import type { TypeNode } from "./nodes.ts";

/** Returns the kind that a type declares: its name, or the argument of `+kubebuilder:resource` if TypeScript can't use that. */
export function kindName(type: TypeNode): string {
  const values = type.markers.get("kubebuilder:resource").map(({ value }) => value as { readonly kind?: string });
  return values.findLast(({ kind }) => kind !== undefined && kind !== "")?.kind ?? type.name;
}
