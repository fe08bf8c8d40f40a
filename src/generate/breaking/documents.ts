import { readValues } from "../../yaml/values.ts";
import { type Crd, isCrd } from "./crd.ts";

/**
 * The CRDs in a YAML text, whatever else is in it.
 *
 * @throws YamlError
 */
export function crdsIn(text: string): Crd[] {
  // Most of what stands in a directory is looked at for nothing.
  return text.includes("CustomResourceDefinition") ? readValues(text).filter(isCrd) : [];
}
