import type { RequestListener } from "node:http";
import type { KubernetesObject } from "../api/index.ts";
import { named } from "../errors/named.ts";
import type { HealthCheck } from "../health/health.ts";
import type { Kind } from "../kind.ts";
import type { Logger } from "../log/logger.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { AdmissionHandler } from "./admission/types.ts";
import type { Converter } from "./conversion/converter.ts";
import { ConverterRegistry } from "./conversion/registry.ts";
import type { WebhookMetrics } from "./metrics.ts";
import type { AdmissionOptions, WebhookServerOptions } from "./options.ts";
import { conversionPath } from "./paths.ts";
import type { WebhookRoute } from "./route.ts";
import type { WebhookService } from "./serve.ts";

export interface WebhookServerParts {
  options: WebhookServerOptions;
  log: Logger;
  metrics: WebhookMetrics;
  /** Asked for each admission request who traces. */
  tracer?: () => Tracer | undefined;
  /** Called when the first path is registered: the server has something to serve. */
  onUsed: () => void;
}

/**
 * Serves the webhooks of a manager, on every replica. It knows its paths from the start; what serving needs is loaded when it starts.
 *
 * @example
 * mgr.webhookServer.register("/mutate--v1-pod", { handle: (ctx, request) => allowed() });
 */
export class WebhookServer {
  readonly #parts: WebhookServerParts;
  readonly #routes = new Map<string, WebhookRoute>();
  readonly #converters = new ConverterRegistry();
  readonly #ready: Promise<void>;
  #isReady: () => void = () => {};
  #service: WebhookService | undefined;

  constructor(parts: WebhookServerParts) {
    this.#parts = parts;
    this.#ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
  }

  /** Serves an admission handler, or any HTTP listener, at a path. Throws an `Error` when the path is taken. */
  register(path: string, handler: AdmissionHandler | RequestListener, options: AdmissionOptions = {}): void {
    if (typeof handler === "function") this.#add(path, { type: "listener", listener: handler });
    else this.#add(path, { type: "admission", handler, options });
  }

  /** As {@link register}; a path that is taken stays as it is. */
  registerOnce(path: string, handler: AdmissionHandler, options: AdmissionOptions = {}): void {
    if (this.#routes.has(path))
      this.#parts.log.warn("Webhook path is served already, the later one is left out", { path });
    else this.register(path, handler, options);
  }

  /** Converts between the versions of a kind, at `/convert`. Throws an `Error` for a second converter of the kind. */
  registerConverter(kind: Kind, converter: Converter<KubernetesObject, readonly KubernetesObject[]>): void {
    this.#converters.register(kind, converter);
    if (!this.#routes.has(conversionPath)) {
      this.#add(conversionPath, { type: "conversion", converters: this.#converters });
    }
    this.#parts.log.info("Conversion webhook enabled", { webhookGroup: kind.group, webhookKind: kind.kind });
  }

  /** The kinds whose versions are converted, each by its hub. */
  get convertedKinds(): readonly Kind[] {
    return this.#converters.hubs;
  }

  /** The paths that are served. */
  get paths(): readonly string[] {
    return [...this.#routes.keys()];
  }

  /** The port, once bound. */
  get port(): number | undefined {
    return this.#service?.port;
  }

  /** Passes once the server answers; for {@link Manager.addReadyzCheck}. Passes too where there is nothing to serve. */
  get startedChecker(): HealthCheck {
    return async () => {
      if (this.#isOff || this.#routes.size === 0) return;
      if (!this.#service) throw new Error("webhook server has not been started yet");
      await this.#service.dial();
    };
  }

  /** Every replica answers: API servers call any of them. */
  needLeaderElection(): boolean {
    return false;
  }

  /** Resolves when requests can come in, at once where the server is switched off. */
  ready(): Promise<void> {
    return this.#ready;
  }

  /** Serves until the signal aborts, and ends when the last answer is sent. Rejects without a certificate and for a taken port. */
  async start(signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    if (this.#isOff) {
      log.info("Webhook server is disabled");
      this.#isReady();
      return;
    }
    log.info("Starting webhook server");
    const { serveWebhooks } = await import("./serve.ts");
    try {
      const serving = serveWebhooks({ ...this.#parts, routes: this.#routes }, signal);
      this.#service = await named("the webhook server", serving);
    } catch (error) {
      // Told to stop while it waited for its certificate.
      if (signal.aborted) return;
      throw error;
    }
    this.#isReady();
    await this.#service.ended;
  }

  get #isOff(): boolean {
    return (this.#parts.options.port ?? 0) < 0;
  }

  #add(path: string, route: WebhookRoute): void {
    const { log, metrics, onUsed } = this.#parts;
    if (this.#routes.has(path)) throw new Error(`can't register duplicate path: ${path}`);
    if (!path.startsWith("/")) throw new Error(`webhook path ${JSON.stringify(path)} must begin with /`);
    this.#routes.set(path, route);
    metrics.registered(path);
    log.info(this.#isOff ? "Webhook is disabled" : "Registering webhook", { path });
    if (this.#routes.size === 1) onUsed();
  }
}
