import type { Lifetimes } from "./options.ts";
import { type CertificateState, type Issued, isFor, isIssuedBy } from "./state.ts";

/**
 * What is due:
 * - `authority`: a new CA that API servers are told of beside the others;
 * - `serving`: a new serving certificate, of the newest CA;
 * - `retire`: API servers need no other CA than the newest any more.
 */
export type Step = "authority" | "serving" | "retire" | undefined;

/**
 * The next step, by what the certificates themselves say of their times: every replica comes to the same at the same time, and
 * nothing else needs to be kept. A new CA signs nothing before all API servers have had the overlap to hear of it; only where
 * nothing can be served otherwise is it used at once.
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

/** Certificates are renewed at two thirds of their life. */
function isDue({ from, to }: Issued, now: number): boolean {
  return now >= from + ((to - from) * 2) / 3;
}
