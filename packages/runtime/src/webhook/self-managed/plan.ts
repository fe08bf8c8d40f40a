import type { Lifetimes } from "../options/self-managed.ts";
import { type CertificateState, type Issued, isFor, isIssuedBy } from "./state.ts";

/**
 * The next step:
 * - `authority`: create a new CA, which API servers trust in addition to the others;
 * - `serving`: create a new serving certificate of the newest CA;
 * - `retire`: remove all CAs except the newest.
 */
export type Step = "authority" | "serving" | "retire" | undefined;

/**
 * Returns the next step, by the times in the certificates: all replicas decide the same without further state. A new CA
 * signs nothing until all API servers have had the overlap to receive it, unless it can't serve in another way.
 */
export function nextStep(state: CertificateState, hosts: readonly string[], now: number, { overlap }: Lifetimes): Step {
  const { authorities, authorityKey, serving } = state;
  const [newest] = authorities;
  if (!newest || !authorityKey || isDue(newest, now)) return "authority";
  const issuer = serving && authorities.find((authority) => isIssuedBy(serving.issued, authority));
  const isUsable = issuer && isFor(serving.issued, hosts) && now < Math.min(serving.issued.to, issuer.to);
  if (!isUsable) return "serving";
  const isKnown = now >= newest.from + overlap;
  if (isKnown && (issuer !== newest || isDue(serving.issued, now))) return "serving";
  if (authorities.length > 1 && issuer === newest && now >= serving.issued.from + overlap) return "retire";
  return undefined;
}

/** Checks whether a certificate must be renewed, which is after two thirds of its validity. */
function isDue({ from, to }: Issued, now: number): boolean {
  return now >= from + ((to - from) * 2) / 3;
}
