import { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import type { CertificatePair } from "./certificate-pair.ts";
import type { CertificateSource } from "./certificate-source.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const hour = 3_600_000;
const validFor = 365 * 24 * hour;

/** A certificate made when it is asked for, the same as long as the process lives. */
export function selfSigned(hosts: readonly string[]): CertificateSource {
  return { watch: () => selfSignedCertificate(hosts) };
}

/**
 * A certificate for names and addresses that vouches for itself, for a server whose callers don't check it. The library is loaded here, a quarter of a
 * second that programs with certificates of their own don't pay.
 */
export async function selfSignedCertificate(
  hosts: readonly string[],
  now: Date = new Date(),
): Promise<CertificatePair> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  x509.cryptoProvider.set("default", webcrypto as typeof globalThis.crypto);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [hosts[0] ?? "localhost"] }],
    keys,
    signingAlgorithm: algorithm,
    // A clock that is a little behind must not refuse it.
    notBefore: new Date(now.getTime() - hour),
    notAfter: new Date(now.getTime() + validFor),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: isIP(value) ? "ip" : "dns", value }))),
    ],
  });
  const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { cert: `${certificate.toString("pem")}\n`, key: `${x509.PemConverter.encode(pkcs8, "PRIVATE KEY")}\n` };
}
