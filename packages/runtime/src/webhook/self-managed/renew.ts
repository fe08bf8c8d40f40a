import { createAuthority, loadAuthority } from "../../certs/authority.ts";
import type { Lifetimes } from "../options/self-managed.ts";
import { nextStep, type Step } from "./plan.ts";
import { type CertificateState, type Issued, parse } from "./state.ts";

/** Applies all due steps. Returns the same state if there are none. */
export async function renew(
  state: CertificateState,
  hosts: readonly string[],
  now: Date,
  lifetimes: Lifetimes,
): Promise<CertificateState> {
  let current = state;
  for (;;) {
    const step = nextStep(current, hosts, now.getTime(), lifetimes);
    if (!step) return current;
    current = await take(step, current, hosts, now, lifetimes);
  }
}

async function take(
  step: NonNullable<Step>,
  state: CertificateState,
  hosts: readonly string[],
  now: Date,
  { caValidFor, validFor }: Lifetimes,
): Promise<CertificateState> {
  const { authorities, authorityKey } = state;
  const [newest] = authorities;
  if (step === "retire" && newest) return { ...state, authorities: [newest] };
  if (step === "serving" && newest && authorityKey) {
    const authority = loadAuthority({ cert: newest.pem, key: authorityKey }, { validFor, now });
    const pair = await authority.issueServing(hosts);
    return { ...state, serving: { ...pair, issued: known(pair.cert) } };
  }
  const authority = await createAuthority({ commonName: "kubewright-webhook-ca", validFor: caValidFor, now });
  const good = authorities.filter(({ to }) => now.getTime() < to);
  return { ...state, authorities: [known(authority.cert), ...good], authorityKey: authority.key };
}

function known(pem: string): Issued {
  const issued = parse(pem);
  if (!issued) throw new Error("the new certificate can't be parsed");
  return issued;
}
