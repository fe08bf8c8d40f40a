import type { JsonObject } from "@kubewright/cel/json";
import { objectsOf } from "../../fields/fields.ts";

/**
 * Finds all containers of a Pod, in the order in which the server reads them for rules that concern all kinds.
 *
 * @param spec - the specification of the Pod
 * @param path - its path
 * @returns the containers with their paths
 */
export function allContainers(spec: JsonObject, path: string): [at: string, container: JsonObject][] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((kind) =>
    objectsOf(spec[kind]).map((container, index): [string, JsonObject] => [`${path}.${kind}[${index}]`, container]),
  );
}
