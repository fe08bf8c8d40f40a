import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthority } from "../host/certificates.ts";
import { type ReservedPort, reservePort } from "../host/ports.ts";
import type { WebhookInstallOptions, WebhookServing } from "./options.ts";

const LOOPBACK = "127.0.0.1";

/** Address, port and certificate of the local webhook server. */
export interface LocalServing {
  readonly options: WebhookServing;
  /** Releases the port. Files are removed with the environment's directory. */
  release(): void;
}

/** Selects unset options: a free port, and a certificate in a subdirectory of the environment's directory. */
export async function prepareServing(options: WebhookInstallOptions, directory: string): Promise<LocalServing> {
  const { localServingHost = LOOPBACK, localServingHostExternalName } = options;
  const certificate = await certificateOf(options, directory, [
    ...new Set(["localhost", localServingHost, localServingHostExternalName ?? "localhost"]),
  ]);
  let reserved: ReservedPort | undefined;
  if (!options.localServingPort) reserved = await reservePort();
  const localServingPort = options.localServingPort || (reserved?.port ?? 0);
  return {
    options: { ...options, ...certificate, localServingHost, localServingPort },
    release: () => reserved?.release(),
  };
}

/** Returns the URL by which the API server calls a path of the local server. */
export function servingURL(serving: WebhookServing, path: string): string {
  const host = serving.localServingHostExternalName ?? serving.localServingHost;
  const name = host.includes(":") ? `[${host}]` : host;
  return `https://${name}:${serving.localServingPort}/${path.replace(/^\/+/, "")}`;
}

type Certificate = Pick<WebhookServing, "localServingCertDir" | "localServingCAData">;

async function certificateOf(
  options: WebhookInstallOptions,
  directory: string,
  hosts: readonly string[],
): Promise<Certificate> {
  const { localServingCertDir, localServingCAData } = options;
  if (localServingCertDir && localServingCAData) return { localServingCertDir, localServingCAData };
  if (localServingCertDir || localServingCAData) {
    throw new Error(
      "webhookInstallOptions: localServingCertDir and localServingCAData belong together, set both or none",
    );
  }
  const authority = await createAuthority();
  const { cert, key } = await authority.issueServing(hosts);
  const certDir = join(directory, "webhook-serving-certs");
  mkdirSync(certDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(certDir, "tls.crt"), cert, { mode: 0o600 });
  writeFileSync(join(certDir, "tls.key"), key, { mode: 0o600 });
  return { localServingCertDir: certDir, localServingCAData: authority.cert };
}
