import { isIP } from "node:net";
import type { CertificatePair } from "./certificate-pair.ts";
import type { CertificateSource } from "./certificate-source.ts";
import { algorithm, generateKeys, loadX509, toPair, validity } from "./x509.ts";

const validFor = 365 * 24 * 3_600_000;

/** A certificate made when it is asked for, the same as long as the process lives. */
export function selfSigned(hosts: readonly string[]): CertificateSource {
  return { watch: () => selfSignedCertificate(hosts) };
}

/** A certificate for names and addresses that vouches for itself, for a server whose callers don't check it. */
export async function selfSignedCertificate(
  hosts: readonly string[],
  now: Date = new Date(),
): Promise<CertificatePair> {
  const x509 = await loadX509();
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [hosts[0] ?? "localhost"] }],
    keys,
    signingAlgorithm: algorithm,
    ...validity(validFor, now),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: isIP(value) ? "ip" : "dns", value }))),
    ],
  });
  return toPair(x509, certificate, keys.privateKey);
}
