import type { CertificatePair } from "./certificate-pair.ts";
import type { CertificateSource } from "./certificate-source.ts";

const validFor = 365 * 24 * 3_600_000;

/** A certificate made when it is asked for, the same as long as the process lives. */
export function selfSigned(hosts: readonly string[]): CertificateSource {
  return { watch: () => selfSignedCertificate(hosts) };
}

/** A certificate for names and addresses that vouches for itself, for a server whose callers don't check it. */
export async function selfSignedCertificate(hosts: readonly string[], now?: Date): Promise<CertificatePair> {
  const { issueCertificate } = await import("./x509.ts");
  return issueCertificate({
    subject: [["CN", hosts[0] ?? "localhost"]],
    ca: true,
    usage: "server",
    hosts,
    validFor,
    now,
  });
}
