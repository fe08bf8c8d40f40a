import { coreTypes } from "./core-types.ts";
import type { Case, Declaration, Named, Struct, Type } from "./model.ts";

/** The JSON type of a field for its markers: "" if the field only refers to a declaration. */
export type Facet = "string" | "integer" | "number" | "boolean" | "array" | "object" | "";

/** Returns the declaration of a type in this API. */
export function declarationOf(api: Case, type: Type & { kind: "declared" }): Declaration | undefined {
  const declaring = api.packages.find((each) => each.path === type.package);
  return declaring?.declarations.find((declaration) => declaration.name === type.name);
}

/** Returns controller-gen's JSON type for a field in the package `from`, before it resolves references. */
export function facetOf(api: Case, from: string, type: Type): Facet {
  switch (type.kind) {
    case "pointer":
      return facetOf(api, from, type.to);
    case "scalar":
      return scalarFacet(type.name);
    case "list":
      return "array";
    case "map":
      return "object";
    case "core":
      return coreTypes.get(type.name)?.facet ?? "";
    case "declared": {
      const declaration = declarationOf(api, type);
      if (declaration?.kind !== "named") return "";
      const facet = facetOf(api, type.package, declaration.type);
      return facet === "array" || facet === "object" || type.package === from ? facet : "";
    }
  }
}

/** Whether a type is a struct of this API, directly or through an alias. */
export function isStruct(api: Case, type: Type): boolean {
  if (type.kind === "pointer") return isStruct(api, type.to);
  if (type.kind !== "declared") return false;
  const declaration = declarationOf(api, type);
  return declaration?.kind === "struct" || (declaration !== undefined && isStruct(api, declaration.type));
}

function scalarFacet(name: string): Facet {
  if (name === "string" || name === "bytes") return "string";
  if (name === "bool") return "boolean";
  return name.startsWith("float") ? "number" : "integer";
}

/** Returns all types in a declaration, at any depth. */
export function typesIn(declaration: Struct | Named): Type[] {
  const types: Type[] = [];
  const visit = (type: Type): void => {
    types.push(type);
    if (type.kind === "list" || type.kind === "map") visit(type.of);
    if (type.kind === "map" && type.key) visit(type.key);
    if (type.kind === "pointer") visit(type.to);
  };
  if (declaration.kind === "named") visit(declaration.type);
  else for (const type of [...declaration.embeds, ...declaration.fields.map((field) => field.type)]) visit(type);
  return types;
}
