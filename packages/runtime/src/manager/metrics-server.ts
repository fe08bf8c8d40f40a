import type { RequestListener } from "node:http";
import { hostname } from "node:os";
import { certificateFiles } from "../certs/certificate-files.ts";
import type { CertificateSource } from "../certs/certificate-source.ts";
import { selfSigned } from "../certs/self-signed.ts";
import { aborted } from "../clock/abort.ts";
import { named } from "../errors/named.ts";
import { guarded } from "../http/guarded.ts";
import { pathOf } from "../http/path.ts";
import { refuse } from "../http/refusal.ts";
import type { WebhookTlsOptions } from "../http/tls.ts";
import { tlsDefaults } from "../http/tls.ts";
import type { Logger } from "../log/logger.ts";
import { AccessReview } from "../metrics/access-review.ts";
import type { ManagerMetrics } from "../metrics/metrics.ts";
import type { Runnable } from "../runnable/runnable.ts";
import type { BindAddress } from "../server/bind-address.ts";
import { HttpServer } from "../server/http-server.ts";
import type { Transport } from "../transport/transport.ts";
import { metricsHandler } from "./metrics-handler.ts";
import type { MetricsOptions } from "./options.ts";

export interface MetricsServerParts {
  address: BindAddress;
  metrics: ManagerMetrics;
  /** Transport for authenticating and authorizing callers. */
  transport: Transport;
  logger: Logger;
  options: MetricsOptions;
}

const metricsPath = "/metrics";
/** Time limit in milliseconds for pending responses when the server stops. */
const drainTime = 60_000;

/** Serves the metrics and additional handlers while the manager runs. */
export class MetricsServer implements Runnable {
  readonly #parts: MetricsServerParts;
  readonly #handlers = new Map<string, RequestListener>();
  #port: number | undefined;
  #certificates: CertificateSource | undefined;
  readonly #ready: Promise<void>;
  #setReady: () => void = () => {};

  constructor(parts: MetricsServerParts) {
    this.#parts = parts;
    this.#ready = new Promise((resolve) => {
      this.#setReady = resolve;
    });
    const { metrics, logger, options } = parts;
    this.#handlers.set(metricsPath, metricsHandler(metrics, logger, options.handlerOptions));
    for (const [path, handler] of Object.entries(options.extraHandlers ?? {})) this.addHandler(path, handler);
  }

  /** Port of the server. Unset until it is bound. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Sets the source of the certificate if no directory is configured. Call it before the start. */
  useCertificates(certificates: CertificateSource): void {
    this.#certificates = certificates;
  }

  /** Adds a handler. Throws if the path is already served. */
  addHandler(path: string, handler: RequestListener): void {
    if (path === metricsPath) throw new Error(`overriding the builtin ${metricsPath} endpoint is not allowed`);
    if (this.#handlers.has(path)) throw new Error(`an extra handler for ${path} is registered already`);
    this.#handlers.set(path, handler);
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  async start(signal: AbortSignal): Promise<void> {
    const { address, logger, options } = this.#parts;
    logger.info("Starting metrics server");
    // Continues after the first requests to the API server are sent, so that this work overlaps their latency.
    await new Promise((resolve) => setImmediate(resolve));
    const secure = options.secureServing ?? false;
    const bound = secure ? this.#listenSecurely(signal) : HttpServer.listen(address, this.#protected());
    const server = await named("the metrics server", bound).catch((error: unknown) => {
      // The manager stopped while the server waited for its certificate.
      if (signal.aborted) return undefined;
      throw error;
    });
    if (!server) return;
    this.#port = server.port;
    this.#setReady();
    logger.info("Serving metrics server", { bindAddress: `${address.host ?? ""}:${server.port}`, secure });
    await aborted(signal);
    logger.info("Shutting down metrics server with timeout of 1 minute");
    await server.close(drainTime);
  }

  #protected(): RequestListener {
    const { transport, logger, options } = this.#parts;
    const review = new AccessReview({ transport, log: logger });
    const identity = (listener: RequestListener): RequestListener => listener;
    const protect =
      options.filterProvider ?? (options.secureServing ? (listener) => review.protect(listener) : identity);
    const dispatch: RequestListener = (request, response) => {
      const handler = this.#handlers.get(pathOf(request.url));
      if (handler) return handler(request, response);
      refuse(response);
      response.writeHead(404).end("404 page not found\n");
    };
    return guarded(protect(dispatch), () => logger, "Bug in the metrics server");
  }

  async #listenSecurely(signal: AbortSignal): Promise<HttpServer> {
    const { address, logger, metrics, options } = this.#parts;
    const { certDir, certName, keyName, tlsOpts = [] } = options;
    const { certificateRead: onRead } = metrics;
    const certificates = certDir
      ? certificateFiles({ certDir, certName, keyName, log: logger, onRead })
      : (this.#certificates ?? selfSigned([hostname(), "localhost"]));
    let server: HttpServer | undefined;
    const pair = await certificates.watch(signal, (renewed) => server?.setCertificate(renewed));
    const tls: WebhookTlsOptions = { ...tlsDefaults, ...pair };
    for (const change of tlsOpts) change(tls);
    server = await HttpServer.listen(address, this.#protected(), tls);
    return server;
  }
}
