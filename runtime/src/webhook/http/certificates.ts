import { existsSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { certificateFiles } from "../../certs/certificate-files.ts";
import type { CertificateSource } from "../../certs/certificate-source.ts";
import { selfSigned } from "../../certs/self-signed.ts";
import type { Logger } from "../../log/logger.ts";
import type { WebhookMetrics } from "../metrics.ts";
import type { WebhookServerOptions } from "../options.ts";

/** Where certificates lie when nobody says where. */
export function defaultCertDir(): string {
  return join(tmpdir(), "k8s-webhook-server", "serving-certs");
}

/** Where the certificate of a webhook server comes from, by its options. */
export function certificatesOf(
  options: WebhookServerOptions,
  { log, metrics }: { log: Logger; metrics: WebhookMetrics },
): CertificateSource {
  if (options.certificates) return options.certificates;
  const { certName, keyName } = options;
  const certDir = options.certDir || defaultCertDir();
  if (options.certDir || existsSync(join(certDir, certName ?? "tls.crt"))) {
    return certificateFiles({ certDir, certName, keyName, log, onRead: (failed) => metrics.certificateRead(failed) });
  }
  const hosts = [hostname(), "localhost", "127.0.0.1", "::1"];
  log.warn("No webhook certificate is configured: serving with one that API servers don't trust", { hosts, certDir });
  return selfSigned(hosts);
}
