import type { ApiServer } from "@kubewright/apiserver";

/** The name of the Lease of all processes, unless they are programs, which choose it. */
export const leaseName = "simulation";

/** The namespace and the name of a Lease. */
export interface LeaseKey {
  readonly namespace: string;
  readonly name: string;
}

/** A process that elects a leader with others, if it has a Lease. */
export interface Elector {
  readonly lease: LeaseKey | undefined;
}

/** Whether an object is a Lease with which processes elect their leader, rather than one that the operator uses itself. */
export function isElection(
  { resource, namespace, name }: { resource: string; namespace: string; name: string },
  processes: readonly Elector[],
): boolean {
  return resource === "leases" && processes.some(({ lease }) => lease?.name === name && lease.namespace === namespace);
}

/** Returns the identity in a Lease. */
export function holderOf(lease: object | undefined): string | undefined {
  return (lease as { spec?: { holderIdentity?: string } } | undefined)?.spec?.holderIdentity;
}

/** Returns the identity of the process that holds a Lease. */
export function leader({ observation }: ApiServer, { namespace, name }: LeaseKey): string | undefined {
  return holderOf(observation.object("coordination.k8s.io", "Lease", namespace, name, true));
}
