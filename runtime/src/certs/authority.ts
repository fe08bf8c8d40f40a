import { createPrivateKey, type KeyObject } from "node:crypto";
import { checkKey, distinguishedName, generateKeys, issue, issuerOf, pairOf, type Validity } from "./certificate.ts";
import type { CertificatePair } from "./certificate-pair.ts";
import {
  authorityKeyIdentifier,
  basicConstraints,
  type ExtendedKeyUsage,
  extendedKeyUsage,
  keyUsage,
  subjectAltName,
  subjectKeyIdentifier,
} from "./extensions.ts";

export type { Validity } from "./certificate.ts";

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
  const { publicKey, privateKey } = await generateKeys();
  const name = distinguishedName(commonName);
  const extensions = [basicConstraints(true), keyUsage(true), subjectKeyIdentifier(publicKey)];
  const cert = issue({ subject: name, issuer: name, publicKey, extensions, ...validity }, privateKey);
  return authority(pairOf(cert, privateKey), privateKey, validity);
}

/** The authority that a certificate and its key make. Throws for text that is neither. */
export async function loadAuthority(pair: CertificatePair, validity: Validity): Promise<CertificateAuthority> {
  const key = createPrivateKey(pair.key);
  checkKey(key);
  return authority(pair, key, validity);
}

function authority(pair: CertificatePair, signingKey: KeyObject, own: Validity): CertificateAuthority {
  const { name: issuer, keyIdentifier } = issuerOf(pair.cert);

  async function issueFor(
    subject: Buffer,
    usage: ExtendedKeyUsage,
    hosts: readonly string[],
    validity: Validity = own,
  ): Promise<CertificatePair> {
    const { publicKey, privateKey } = await generateKeys();
    const extensions = [
      basicConstraints(false),
      keyUsage(false),
      extendedKeyUsage(usage),
      authorityKeyIdentifier(keyIdentifier),
      ...(hosts.length > 0 ? [subjectAltName(hosts)] : []),
    ];
    return pairOf(issue({ subject, issuer, publicKey, extensions, ...validity }, signingKey), privateKey);
  }

  return {
    ...pair,
    issueServing: (hosts, validity) =>
      issueFor(distinguishedName(hosts[0] ?? "localhost"), "serverAuth", hosts, validity),
    issueClient: (name, groups) => issueFor(distinguishedName(name, groups), "clientAuth", []),
  };
}
