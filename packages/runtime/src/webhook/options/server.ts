import type { IncomingMessage } from "node:http";
import type { AdmissionRequest } from "../../api/admission/v1.ts";
import type { CertificateSource } from "../../certs/certificate-source.ts";
import type { WebhookTlsOptions } from "../../http/tls.ts";
import type { Logger } from "../../log/logger.ts";
import type { Context } from "../../reconcile/context.ts";
import type { LocalWebhooksOptions } from "./local.ts";
import type { SelfManagedCertificatesOptions } from "./self-managed.ts";

/** Options of the webhook server. */
export interface WebhookServerOptions {
  /**
   * Address to listen on.
   *
   * @defaultValue all interfaces; with a `local.url` of the loopback interface, its host
   */
  host?: string;
  /**
   * Port. 0 selects a free one; -1 disables the server.
   *
   * @defaultValue 9443
   */
  port?: number;
  /**
   * Directory of the certificate, which must exist at the start and is reloaded when it changes.
   *
   * @defaultValue `<tmp>/k8s-webhook-server/serving-certs`; if that contains no certificate, the server creates a
   * self-signed one
   */
  certDir?: string;
  /**
   * File name of the certificate in `certDir`.
   *
   * @defaultValue "tls.crt"
   */
  certName?: string;
  /**
   * File name of the private key in `certDir`.
   *
   * @defaultValue "tls.key"
   */
  keyName?: string;
  /**
   * File name of a CA for clients in `certDir`. If it is set, only clients with a certificate of this CA are served.
   *
   * @defaultValue none
   */
  clientCAName?: string;
  /**
   * Supports HTTP/2. Otherwise, the server only supports HTTP/1.1.
   *
   * @defaultValue false
   */
  enableHTTP2?: boolean;
  /**
   * Minimum version of TLS.
   *
   * @defaultValue "TLSv1.2"
   */
  tlsMinVersion?: "TLSv1.2" | "TLSv1.3";
  /**
   * Functions that change the TLS options. They run last.
   *
   * @defaultValue none
   */
  tlsOpts?: readonly ((options: WebhookTlsOptions) => void)[];
  /**
   * Time in milliseconds for which the server accepts new connections after the manager is stopped. A Service sends
   * requests to a Pod until every node has noticed its termination.
   *
   * @defaultValue 3000 in a Pod, else 0
   */
  shutdownDelay?: number;
  /**
   * Provides the certificate instead of files.
   *
   * @defaultValue files
   */
  certificates?: CertificateSource;
  /**
   * Lets the manager create, renew and publish the certificate. `certificates` takes precedence.
   *
   * @defaultValue none
   */
  selfManagedCertificates?: SelfManagedCertificatesOptions;
  /**
   * Lets a cluster call the webhooks on this machine while the manager runs. Its certificate takes precedence over all
   * others.
   *
   * @defaultValue none
   */
  local?: LocalWebhooksOptions;
}

/** Options of one admission webhook. */
export interface AdmissionOptions {
  /**
   * Returns the context for the handler. Receives the one that the server created for the request.
   *
   * @defaultValue the context of the request
   */
  contextFunc?: (ctx: Context, request: IncomingMessage) => Context | Promise<Context>;
  /**
   * Returns the logger of a request.
   *
   * @defaultValue a logger with the fields of the request
   */
  logConstructor?: (base: Logger, request: AdmissionRequest) => Logger;
  /**
   * Whether a bug in the handler, such as a `ReferenceError`, only denies the request. With `false`, it stops the
   * manager.
   *
   * @defaultValue true
   */
  recoverPanic?: boolean;
}
