import { generateKeyPairSync } from "node:crypto";
import { type CertificateAuthority, createAuthority as createCertificateAuthority } from "../certs/authority.ts";
import type { CertificatePair } from "../certs/certificate-pair.ts";

export type { CertificateAuthority } from "../certs/authority.ts";
export type KeyPair = CertificatePair;

// Validity in milliseconds, as in Go's envtest.
const validFor = 168 * 3_600_000;

/** Creates the certificate authority of one test environment. */
export function createAuthority(): Promise<CertificateAuthority> {
  return createCertificateAuthority({ commonName: "kubewright-envtest", validFor });
}

/** Returns the keys that sign and verify service account tokens, as PEM text. */
export function serviceAccountKeys(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
