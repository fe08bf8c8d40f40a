import { distinguishedName, generateKeys, issue, pairOf } from "./certificate.ts";
import type { CertificatePair } from "./certificate-pair.ts";
import type { CertificateSource } from "./certificate-source.ts";
import { basicConstraints, extendedKeyUsage, keyUsage, subjectAltName } from "./extensions.ts";

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
  const { publicKey, privateKey } = await generateKeys();
  const name = distinguishedName(hosts[0] ?? "localhost");
  const extensions = [basicConstraints(true), keyUsage(true), extendedKeyUsage("serverAuth"), subjectAltName(hosts)];
  const content = { subject: name, issuer: name, publicKey, extensions, validFor, now };
  return pairOf(issue(content, privateKey), privateKey);
}
