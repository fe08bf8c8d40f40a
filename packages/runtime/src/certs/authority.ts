import { createPrivateKey, X509Certificate } from "node:crypto";
import type { CertificatePair } from "./certificate-pair.ts";
import type { Validity } from "./validity.ts";
import { type Issuer, issueCertificate } from "./x509.ts";

export interface AuthorityOptions extends Validity {
  commonName: string;
}

/** Signs certificates. */
export interface CertificateAuthority extends CertificatePair {
  /**
   * Issues a serving certificate for host names and IP addresses. Without `validity`, it is valid as long as the authority.
   */
  issueServing(hosts: readonly string[], validity?: Validity): Promise<CertificatePair>;
  /** Issues a client certificate. The common name is the user's name, and each organization is a group. */
  issueClient(name: string, groups: readonly string[]): Promise<CertificatePair>;
}

/** Creates a new authority with its own key. */
export async function createAuthority({ commonName, ...validity }: AuthorityOptions): Promise<CertificateAuthority> {
  const pair = await issueCertificate({ subject: [["CN", commonName]], ca: true, ...validity });
  return loadAuthority(pair, validity);
}

/** Creates an authority from a certificate and its key. Throws if either is invalid. */
export function loadAuthority(pair: CertificatePair, own: Validity): CertificateAuthority {
  const issuer: Issuer = { certificate: new X509Certificate(pair.cert), key: createPrivateKey(pair.key) };
  return {
    ...pair,
    issueServing: (hosts, validity = own) => {
      const subject = [["CN", hosts[0] ?? "localhost"]] as const;
      return issueCertificate({ subject, ca: false, usage: "server", hosts, ...validity }, issuer);
    },
    issueClient: (name, groups) => {
      const subject = [...groups.map((group) => ["O", group] as const), ["CN", name] as const];
      return issueCertificate({ subject, ca: false, usage: "client", ...own }, issuer);
    },
  };
}
