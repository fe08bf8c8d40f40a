import { createPrivateKey, X509Certificate } from "node:crypto";
import type { CertificatePair } from "./certificate-pair.ts";
import type { Validity } from "./validity.ts";
import { type Issuer, issueCertificate } from "./x509.ts";

export interface AuthorityOptions extends Validity {
  commonName: string;
}

/** Signs certificates. */
export interface CertificateAuthority extends CertificatePair {
  /** A certificate for servers under these host names and addresses; good as long as the authority's own unless said otherwise. */
  issueServing(hosts: readonly string[], validity?: Validity): Promise<CertificatePair>;
  /** A client certificate: the common name is the user's name, each organization a group. */
  issueClient(name: string, groups: readonly string[]): Promise<CertificatePair>;
}

/** Makes a new authority with a key of its own. */
export async function createAuthority({ commonName, ...validity }: AuthorityOptions): Promise<CertificateAuthority> {
  const pair = await issueCertificate({ subject: [["CN", commonName]], ca: true, ...validity });
  return loadAuthority(pair, validity);
}

/** The authority that a certificate and its key make. Throws for text that is neither. */
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
