import type { Lease } from "../leader-election/lease.ts";
import type { Moment } from "./history.ts";

/** From when on, in the server's order of writes, a candidate holds the lease; the name is empty where nobody does. */
export interface Term {
  leader: string;
  from: bigint;
}

/** The terms of all leaders, by the writes of a lease that carries its holder's name in the label `candidate`. */
export function termsOf(leases: readonly Moment<Lease>[]): Term[] {
  const all: (Term & { identity: string })[] = [];
  for (const { version, object } of leases) {
    const identity = object.spec?.holderIdentity ?? "";
    const leader = identity === "" ? "" : (object.metadata.labels?.candidate ?? "");
    if (all.at(-1)?.identity !== identity) all.push({ leader, from: version, identity });
  }
  return all;
}

/** Who holds the lease when a write comes about. */
export function leaderAt(terms: readonly Term[], version: bigint): string | undefined {
  return terms.filter(({ from }) => from < version).at(-1)?.leader;
}
