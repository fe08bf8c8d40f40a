import { generateKeyPairSync } from "node:crypto";
import { type CertificateAuthority, createAuthority as createCertificateAuthority } from "../../certs/authority.ts";
import type { CertificatePair } from "../../certs/certificate-pair.ts";

export type { CertificateAuthority } from "../../certs/authority.ts";
export type KeyPair = CertificatePair;

/** In milliseconds. Go's envtest has a week, but sessions of `scaffold dev` can last longer. */
const validFor = 90 * 24 * 3_600_000;
/** The clock of a developer's computer can be set back meanwhile. */
const validBefore = validFor;

/** Creates the certificate authority of one test environment. */
export function createAuthority(): Promise<CertificateAuthority> {
  return createCertificateAuthority({ commonName: "kubewright-envtest", validFor, validBefore });
}

/** Returns the keys that sign and verify service account tokens, as PEM text. */
export function serviceAccountKeys(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
