import type { Lease } from "../../src/leader-election/lease.ts";
import type { Moment } from "./history.ts";

/** The start of a candidate's term in the server's order of writes. The name is empty if the lease has no holder. */
export interface Term {
  leader: string;
  from: bigint;
}

/** Returns the terms of all leaders. The label `candidate` of each lease contains the holder's name. */
export function termsOf(leases: readonly Moment<Lease>[]): Term[] {
  const all: (Term & { identity: string })[] = [];
  for (const { version, object } of leases) {
    const identity = object.spec?.holderIdentity ?? "";
    const leader = identity === "" ? "" : (object.metadata.labels?.candidate ?? "");
    if (all.at(-1)?.identity !== identity) all.push({ leader, from: version, identity });
  }
  return all;
}

/** Returns the holder of the lease at the time of a write. */
export function leaderAt(terms: readonly Term[], version: bigint): string | undefined {
  return terms.filter(({ from }) => from < version).at(-1)?.leader;
}
