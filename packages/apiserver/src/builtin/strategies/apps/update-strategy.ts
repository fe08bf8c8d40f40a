import type { Json, JsonObject } from "@kubewright/cel/json";
import { fieldsOf, isSet, numberOf } from "../fields/fields.ts";

/**
 * An update strategy as the server shows it: with the names of its Go structs.
 *
 * @param strategy - the strategy
 * @returns the JSON of the struct
 */
export function shownStrategy({ type, rollingUpdate }: JsonObject): Json {
  if (!isSet(rollingUpdate)) return { Type: type ?? "", RollingUpdate: null };
  const { maxUnavailable, maxSurge } = fieldsOf(rollingUpdate);
  return { Type: type ?? "", RollingUpdate: { MaxUnavailable: maxUnavailable ?? 0, MaxSurge: maxSurge ?? 0 } };
}

/** A rolling update of a StatefulSet as the server shows it. */
export function shownPartition(rollingUpdate: Json | undefined): Json {
  if (!isSet(rollingUpdate)) return null;
  const { partition, maxUnavailable } = fieldsOf(rollingUpdate);
  return { Partition: numberOf(partition), MaxUnavailable: maxUnavailable ?? null };
}
