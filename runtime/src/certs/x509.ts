import { type KeyObject, webcrypto } from "node:crypto";
import type { CertificatePair } from "./certificate-pair.ts";

export type X509 = typeof import("@peculiar/x509");

export const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Milliseconds by which certificates are good before they are made: a clock that is a little behind must not refuse them. */
export const backdated = 3_600_000;

/** Loads the library: a quarter of a second that only those pay who make certificates. */
export async function loadX509(): Promise<X509> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  x509.cryptoProvider.set("default", webcrypto as typeof globalThis.crypto);
  return x509;
}

export function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

/** A private key of {@link generateKeys} that was kept. Rejects for one of another kind. */
export function importSigningKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey("pkcs8", key.export({ type: "pkcs8", format: "der" }), algorithm, false, ["sign"]);
}

/** From now on for so many milliseconds. */
export function validity(milliseconds: number, now: Date = new Date()): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - backdated), notAfter: new Date(now.getTime() + milliseconds) };
}

/** Certificate and private key as PEM text. */
export async function toPair(
  x509: X509,
  certificate: { toString(format: "pem"): string },
  privateKey: webcrypto.CryptoKey,
): Promise<CertificatePair> {
  const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", privateKey);
  return { cert: `${certificate.toString("pem")}\n`, key: `${x509.PemConverter.encode(pkcs8, "PRIVATE KEY")}\n` };
}
