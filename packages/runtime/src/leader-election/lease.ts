import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";

/** The part of the coordination.k8s.io Lease that elections use. */
export interface Lease extends KubernetesObject {
  metadata: ObjectMeta;
  spec?: {
    holderIdentity?: string | null;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

export const Lease: Kind<Lease> = groupVersion("coordination.k8s.io", "v1").kind<Lease>("Lease", {
  plural: "leases",
  scope: "Namespaced",
});

/** Formats a time with microseconds, as in leases. */
export function microTime(date: Date): string {
  return date.toISOString().replace("Z", "000Z");
}
