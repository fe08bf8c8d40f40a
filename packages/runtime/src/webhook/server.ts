import type { RequestListener } from "node:http";
import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { named } from "../errors/named.ts";
import type { HealthCheck } from "../health/health.ts";
import type { Logger } from "../log/logger.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { AdmissionHandler } from "./admission/types.ts";
import type { Converter } from "./conversion/converter.ts";
import { ConverterRegistry } from "./conversion/registry.ts";
import type { WebhookInspection } from "./http/inspection.ts";
import type { WebhookMetrics } from "./http/metrics.ts";
import { conversionPath } from "./http/paths.ts";
import type { AdmissionOptions, WebhookServerOptions } from "./options/server.ts";
import type { WebhookRoute } from "./route.ts";
import type { WebhookService } from "./serve.ts";

/**
 * The parts of a {@link WebhookServer}. The manager creates it.
 *
 * @internal
 */
export interface WebhookServerParts {
  options: WebhookServerOptions;
  log: Logger;
  metrics: WebhookMetrics;
  /** Called for each admission request. Returns the tracer, if there is one. */
  tracer?: () => Tracer | undefined;
  /** Records the requests. */
  inspection?: WebhookInspection;
  /** Called when the first path is registered, since the server must run from then on. */
  onUsed: () => void;
}

/**
 * Serves the webhooks of a manager on every replica. It loads most of its code when it starts.
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

  /**
   * Creates a server. Users call {@link Manager.webhookServer}.
   *
   * @internal
   */
  static create(parts: WebhookServerParts): WebhookServer {
    return new WebhookServer(parts);
  }

  private constructor(parts: WebhookServerParts) {
    this.#parts = parts;
    this.#ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
  }

  /**
   * Serves an admission handler, or any HTTP listener, at a path.
   *
   * @param path - the path, such as `/mutate--v1-pod`
   * @param handler - the handler or listener
   * @param options - options of an admission handler
   * @throws Error if the path doesn't begin with `/` or is already registered
   */
  register(path: string, handler: AdmissionHandler | RequestListener, options: AdmissionOptions = {}): void {
    if (typeof handler === "function") this.#add(path, { type: "listener", listener: handler });
    else this.#add(path, { type: "admission", handler, options });
  }

  /**
   * Serves an admission handler at a path. If the path is already registered, it logs a warning and changes nothing.
   *
   * @param path - the path
   * @param handler - the handler
   * @param options - options of the handler
   */
  registerOnce(path: string, handler: AdmissionHandler, options: AdmissionOptions = {}): void {
    if (this.#routes.has(path))
      this.#parts.log.warn("Webhook path is already registered, the later handler is ignored", { path });
    else this.register(path, handler, options);
  }

  /**
   * Serves the conversion between the versions of a kind at `/convert`.
   *
   * @param kind - the kind, in any version
   * @param converter - converts its objects
   * @throws Error if the kind already has a converter
   */
  registerConverter(kind: Kind, converter: Converter<KubernetesObject, readonly KubernetesObject[]>): void {
    this.#converters.register(kind, converter);
    if (!this.#routes.has(conversionPath)) {
      this.#add(conversionPath, { type: "conversion", converters: this.#converters });
    }
    this.#parts.log.info("Conversion webhook enabled", { webhookGroup: kind.group, webhookKind: kind.kind });
  }

  /** The converters, for conversions in this process. @internal */
  get converters(): ConverterRegistry {
    return this.#converters;
  }

  /** Kinds that have a converter, each in the version of its hub. */
  get convertedKinds(): readonly Kind[] {
    return this.#converters.hubs;
  }

  /** The kinds that have a converter, each in all versions, the hub first. @internal */
  get convertedVersions(): readonly (readonly Kind[])[] {
    return this.#converters.versions;
  }

  /** Registered paths. */
  get paths(): readonly string[] {
    return [...this.#routes.keys()];
  }

  /** Port of the server. Unset until it is bound. */
  get port(): number | undefined {
    return this.#service?.port;
  }

  /** Returns a check for {@link Manager.addReadyzCheck}, which passes if the server responds or has no paths. */
  get startedChecker(): HealthCheck {
    return async () => {
      if (this.#isOff || this.#routes.size === 0) return;
      if (!this.#service) throw new Error("webhook server has not been started yet");
      await this.#service.dial();
    };
  }

  /**
   * Returns `false`: every replica serves webhooks, since API servers call any of them.
   *
   * @returns `false`
   */
  needLeaderElection(): boolean {
    return false;
  }

  /** Resolves when the server accepts requests, or immediately if it is disabled. */
  ready(): Promise<void> {
    return this.#ready;
  }

  /**
   * Serves until the signal aborts. Resolves when the last response is sent.
   *
   * @param signal - stops the server
   * @throws Error if the certificate is missing, or if the port is occupied
   */
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
      // The server was stopped while it waited for its certificate.
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
