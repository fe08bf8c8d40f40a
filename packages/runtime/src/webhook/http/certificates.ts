import { existsSync, lstatSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { certificateFiles } from "../../certs/certificate-files.ts";
import type { CertificateSource } from "../../certs/certificate-source.ts";
import { selfSigned } from "../../certs/self-signed.ts";
import type { Logger } from "../../log/logger.ts";
import type { WebhookServerOptions } from "../options/server.ts";
import type { WebhookMetrics } from "./metrics.ts";

/** Returns the default directory of certificates. */
export function defaultCertDir(): string {
  return join(tmpdir(), "k8s-webhook-server", "serving-certs");
}

/** Returns the source of a webhook server's certificate, by its options. */
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
  log.warn("No webhook certificate is configured: using a self-signed certificate, which API servers don't trust", {
    hosts,
    certDir,
  });
  return selfSigned(hosts);
}

/**
 * Checks whether the default directory contains a certificate of the system or this user. In a shared temporary directory,
 * another user could have created it, and would have its key.
 */
function isMounted(certDir: string, certName: string, log: Logger): boolean {
  if (!existsSync(join(certDir, certName))) return false;
  const foreign = [dirname(certDir), certDir].filter((directory) => !isTrusted(directory));
  if (foreign.length > 0) {
    log.warn("The certificate in the default directory is ignored, because another user could have created it", {
      foreign,
    });
  }
  return foreign.length === 0;
}

/** Checks whether a directory belongs to root, like the volumes of a Pod, or to this user. */
function isTrusted(directory: string): boolean {
  if (process.getuid === undefined) return true;
  const stat = lstatSync(directory);
  return stat.isDirectory() && (stat.uid === 0 || stat.uid === process.getuid());
}
