import type { RequestListener, Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { CertificatePair } from "../certs/certificate-pair.ts";
import type { WebhookTlsOptions } from "../webhook/options.ts";
import type { BindAddress } from "./bind-address.ts";

/** A listening server. */
export interface RunningServer {
  /** The port that was bound: of interest where port 0 was asked for. */
  readonly port: number;
  /** New connections get another certificate; those that are open stay. */
  setCertificate(pair: CertificatePair): void;
  /** Stops listening and closes connections; resolves when all are closed. */
  close(): Promise<void>;
}

const limits = { maxHeaderSize: 1024 * 1024, headersTimeout: 32_000, keepAliveTimeout: 90_000 };

/** Binds an address; rejects when the port is taken. With `tls` the server speaks HTTPS. */
export async function listen(
  address: BindAddress,
  listener: RequestListener,
  tls?: WebhookTlsOptions,
): Promise<RunningServer> {
  const server: Server = tls
    ? process.getBuiltinModule("node:https").createServer({ ...limits, ...tls }, listener)
    : process.getBuiltinModule("node:http").createServer(limits, listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address.port, address.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    setCertificate: (pair) => {
      if (tls) (server as SecureServer).setSecureContext({ ...tls, ...pair });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // Who is being served gets a moment; nobody holds up the end of the process.
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      }),
  };
}
