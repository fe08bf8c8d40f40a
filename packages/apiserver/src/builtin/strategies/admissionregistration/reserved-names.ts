import type { Strategy } from "../../../model/resource.ts";

const warning =
  'metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';

/** Adds the warning about names that are reserved for configurations in files of the server. */
export function warningOfReservedNames(strategy: Strategy): Strategy {
  return {
    ...strategy,
    warningsOnCreate: (object) => [
      ...(object.metadata.name?.endsWith(".static.k8s.io") ? [warning] : []),
      ...(strategy.warningsOnCreate?.(object) ?? []),
    ],
  };
}
