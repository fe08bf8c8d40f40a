import { invalidValue } from "@kubewright/cel/validation";
import type { Strategy } from "../../../model/resource.ts";

const detail =
  'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';

/** Refuses new objects with names that are reserved for configurations in files of the server. */
export function refuseReservedNames(strategy: Strategy): Strategy {
  return {
    ...strategy,
    validate: (object, context) => {
      const { name = "" } = object.metadata;
      const errors = strategy.validate?.(object, context) ?? [];
      return name.endsWith(".static.k8s.io") ? [...errors, invalidValue("metadata.name", name, detail)] : errors;
    },
  };
}
