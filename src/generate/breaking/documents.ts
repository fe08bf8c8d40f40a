import { readValues } from "../../yaml/values.ts";
import { type Crd, isCrd } from "./crd.ts";

/**
 * Returns the CRDs in a YAML text and ignores all other documents.
 *
 * @throws YamlError
 */
export function crdsIn(text: string): Crd[] {
  // Most files have no CRD and needn't be parsed.
  return text.includes("CustomResourceDefinition") ? readValues(text).filter(isCrd) : [];
}
