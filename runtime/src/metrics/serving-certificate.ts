import { readFile } from "node:fs/promises";
import type { ServerOptions } from "node:https";
import { hostname } from "node:os";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { type CertificatePair, selfSignedCertificate } from "../certs/self-signed.ts";
import type { Logger } from "../log/logger.ts";

export interface ServingCertificateOptions {
  /** Directory of the files; without one a certificate is made that vouches for itself. */
  certDir?: string;
  /** `tls.crt` by default. */
  certName?: string;
  /** `tls.key` by default. */
  keyName?: string;
  log: Logger;
}

const rereadEvery = 10_000;

/**
 * TLS options of a server whose certificate may be renewed while it runs: files are read again every ten seconds until the
 * signal aborts. Rejects when there is none to begin with; later the old pair serves on while files are half written.
 */
export async function servingCertificate(
  options: ServingCertificateOptions,
  signal: AbortSignal,
): Promise<ServerOptions> {
  const { certDir, log } = options;
  if (!certDir) return selfSignedCertificate([hostname(), "localhost"]);
  let pair = await readPair(certDir, options);
  let context: SecureContext = createSecureContext({ ...pair });
  const reread = async (): Promise<void> => {
    const next = await readPair(certDir, options);
    if (next.cert === pair.cert && next.key === pair.key) return;
    context = createSecureContext({ ...next });
    pair = next;
    log.info("Updated current TLS certificate", { certDir });
  };
  const timer = setInterval(() => {
    reread().catch((error: unknown) => log.error(error, "error re-reading certificate"));
  }, rereadEvery).unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return { ...pair, SNICallback: (_name, done) => done(null, context) };
}

async function readPair(certDir: string, options: ServingCertificateOptions): Promise<CertificatePair> {
  const { certName = "tls.crt", keyName = "tls.key" } = options;
  const [cert, key] = await Promise.all([
    readFile(join(certDir, certName), "utf8"),
    readFile(join(certDir, keyName), "utf8"),
  ]);
  return { cert, key };
}
