import type { CertificatePair } from "./certificate-pair.ts";
import type { CertificateSource } from "./certificate-source.ts";

const validFor = 365 * 24 * 3_600_000;

/** Provides a self-signed certificate, which is created on demand and kept as long as the process runs. */
export function selfSigned(hosts: readonly string[]): CertificateSource {
  return { watch: () => selfSignedCertificate(hosts) };
}

/** Creates a self-signed certificate for host names and IP addresses, for servers whose clients don't verify it. */
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
