import { generateKeyPairSync } from "node:crypto";
import { type CertificateAuthority, createAuthority as createCertificateAuthority } from "../certs/authority.ts";
import type { CertificatePair } from "../certs/certificate-pair.ts";

export type { CertificateAuthority } from "../certs/authority.ts";
export type KeyPair = CertificatePair;

// As long as Go's envtest gives its own.
const validFor = 168 * 3_600_000;

/** Makes the authority of one test environment: it ends with the environment. */
export function createAuthority(): Promise<CertificateAuthority> {
  return createCertificateAuthority({ commonName: "kubewright-envtest", validFor });
}

/** The keys with which an API server signs and checks service account tokens, as PEM text. */
export function serviceAccountKeys(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
