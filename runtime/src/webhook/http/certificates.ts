import { existsSync, lstatSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
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
  if (options.certDir || isMounted(certDir, certName ?? "tls.crt", log)) {
    return certificateFiles({ certDir, certName, keyName, log, onRead: (failed) => metrics.certificateRead(failed) });
  }
  const hosts = [hostname(), "localhost", "127.0.0.1", "::1"];
  log.warn("No webhook certificate is configured: serving with one that API servers don't trust", { hosts, certDir });
  return selfSigned(hosts);
}

/**
 * Whether the default directory has a certificate that the system or this user has put there. In a temporary directory that
 * users share, another one could have made it, and would know the key.
 */
function isMounted(certDir: string, certName: string, log: Logger): boolean {
  if (!existsSync(join(certDir, certName))) return false;
  const foreign = [dirname(certDir), certDir].filter((directory) => !isTrusted(directory));
  if (foreign.length > 0) {
    log.warn("The certificate in the default directory isn't used: another user could have put it there", { foreign });
  }
  return foreign.length === 0;
}

/** Volumes of a Pod belong to root. */
function isTrusted(directory: string): boolean {
  if (process.getuid === undefined) return true;
  const stat = lstatSync(directory);
  return stat.isDirectory() && (stat.uid === 0 || stat.uid === process.getuid());
}
