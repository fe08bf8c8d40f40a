import { loadAll } from "js-yaml";
import { type Crd, isCrd } from "./crd.ts";

/** The CRDs in a YAML text, whatever else is in it. Throws what the YAML library throws. */
export function crdsIn(text: string): Crd[] {
  // Most of what stands in a directory is looked at for nothing.
  return text.includes("CustomResourceDefinition") ? loadAll(text).filter(isCrd) : [];
}
