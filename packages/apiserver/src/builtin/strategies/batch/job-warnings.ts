import type { JsonObject } from "@kubewright/cel/json";
import { podWarnings } from "../core/pod/pod-warnings.ts";
import { numberOf } from "../fields/fields.ts";

const manyCompletions = 100_000;
const muchParallelism = 10_000;

/**
 * Finds the warnings for the specification of a Job.
 *
 * @param spec - the specification
 * @param path - its path
 * @returns the warnings
 */
export function jobSpecWarnings(spec: JsonObject, path: string): string[] {
  const warnings = podWarnings(spec.template, `${path}.template`);
  const isLarge = numberOf(spec.completions) > manyCompletions && numberOf(spec.parallelism) > muchParallelism;
  if (spec.completionMode !== "Indexed" || !isLarge) return warnings;
  const size = "a number of completions higher than 10^5 and a parallelism higher than 10^4";
  const effect = "Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
  return [`${path}: In Indexed Jobs with ${size}, ${effect}`, ...warnings];
}
