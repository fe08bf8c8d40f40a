import type { IncomingMessage } from "node:http";
import type { SecureContextOptions, TlsOptions } from "node:tls";
import type { AdmissionRequest } from "../api/admission/v1.ts";
import type { CertificateSource } from "../certs/certificate-source.ts";
import type { Context } from "../context.ts";
import type { Logger } from "../log/logger.ts";
import type { LocalWebhooksOptions } from "./local/options.ts";
import type { SelfManagedCertificatesOptions } from "./self-managed/options.ts";

/** What can be set of the server's TLS, by Node's names. */
export type WebhookTlsOptions = TlsOptions & SecureContextOptions;

/** Where and how webhooks are served. */
export interface WebhookServerOptions {
  /** Address to listen on; all by default. */
  host?: string;
  /** 9443 by default; 0 takes any free port; -1 switches the server off. */
  port?: number;
  /**
   * Directory of the certificate, read again when it changes: it must be there at the start. By default
   * `<tmp>/k8s-webhook-server/serving-certs`, and where that holds none, the server makes its own certificate.
   */
  certDir?: string;
  /** `tls.crt` by default. */
  certName?: string;
  /** `tls.key` by default. */
  keyName?: string;
  /** File in `certDir` with the CA of clients: with it, only callers that show a certificate of this CA are served. */
  clientCAName?: string;
  /** Speaks HTTP/2 with clients that ask for it; HTTP/1.1 only by default. */
  enableHTTP2?: boolean;
  /** Least version of TLS; `TLSv1.2` by default. */
  tlsMinVersion?: "TLSv1.2" | "TLSv1.3";
  /** Change the TLS options last. */
  tlsOpts?: readonly ((options: WebhookTlsOptions) => void)[];
  /**
   * Milliseconds for which the server takes new connections after the manager is told to stop. A Service leads callers to a Pod until
   * every node has heard that the Pod ends.
   *
   * @defaultValue 3,000 in a Pod, else 0
   */
  shutdownDelay?: number;
  /** Where the certificate comes from, in place of files. */
  certificates?: CertificateSource;
  /** The manager makes, renews and makes known the certificate by itself. `certificates` wins. */
  selfManagedCertificates?: SelfManagedCertificatesOptions;
  /** A cluster calls the webhooks on this machine, while the manager runs. Its certificate wins over all others. */
  local?: LocalWebhooksOptions;
}

/** How one admission webhook treats its requests. */
export interface AdmissionOptions {
  /** Gives the context that the handler gets: the one made for the request, or more. */
  contextFunc?: (ctx: Context, request: IncomingMessage) => Context | Promise<Context>;
  /** Gives the logger of a request. */
  logConstructor?: (base: Logger, request: AdmissionRequest) => Logger;
  /** `false` ends the manager when a handler throws what only bugs throw. */
  recoverPanic?: boolean;
}
