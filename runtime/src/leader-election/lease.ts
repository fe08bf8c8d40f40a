import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { groupVersion, type Kind } from "../kind.ts";

/** Coordination's Lease, as far as elections use it. */
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

/** A time as leases have it: with microseconds. */
export function microTime(date: Date): string {
  return date.toISOString().replace("Z", "000Z");
}
