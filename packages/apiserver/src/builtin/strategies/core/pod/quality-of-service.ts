import type { JsonObject } from "@kubewright/cel/json";

/**
 * Finds the quality of service of a Pod, which follows from its requests and limits.
 *
 * @param spec - the specification
 * @returns `Guaranteed`, `Burstable` or `BestEffort`
 */
export function qualityOfService(spec: JsonObject): string {
  const containers = [...((spec.initContainers ?? []) as JsonObject[]), ...((spec.containers ?? []) as JsonObject[])];
  const holders = spec.resources === undefined ? containers : [spec];
  let any = false;
  let guaranteed = true;
  for (const { resources } of holders) {
    const { requests, limits } = (resources ?? {}) as Record<string, Record<string, string> | undefined>;
    for (const name of ["cpu", "memory"]) {
      const request = requests?.[name];
      const limit = limits?.[name];
      const isSet = (quantity: string | undefined): boolean => quantity !== undefined && quantity !== "0";
      if (isSet(request) || isSet(limit)) any = true;
      if (!isSet(limit) || (isSet(request) && request !== limit)) guaranteed = false;
    }
  }
  return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
}
