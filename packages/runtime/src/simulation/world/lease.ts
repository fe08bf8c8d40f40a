import type { ApiServer } from "@kubewright/apiserver";

/** The name of the Lease of all processes. */
export const leaseName = "simulation";

/** Whether an object is the Lease of all processes, rather than one that the operator uses itself. */
export function isElection({ resource, name }: { resource: string; name: string }): boolean {
  return resource === "leases" && name === leaseName;
}

/** Returns the identity in a Lease. */
export function holderOf(lease: object | undefined): string | undefined {
  return (lease as { spec?: { holderIdentity?: string } } | undefined)?.spec?.holderIdentity;
}

/** Returns the identity of the process that holds the Lease. */
export function leader({ observation }: ApiServer): string | undefined {
  return holderOf(observation.object("coordination.k8s.io", "Lease", "default", leaseName, true));
}
