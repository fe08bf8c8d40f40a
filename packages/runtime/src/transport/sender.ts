import type { Config } from "../config/config.ts";
import { isConnectionReset, isTransportError, TransportError } from "../errors/transport-error.ts";
import { stringifyJson } from "../json/stringify.ts";
import { gzip, readFailure, retryAfterSeconds } from "./answer.ts";
import { type ClientCertificate, type Connections, openConnections } from "./connections.ts";
import { createCredentials, impersonationHeaders } from "./credentials.ts";
import { exchange, type WireAnswer } from "./exchange.ts";
import { toTransportError } from "./http/wire-error.ts";
import type { WireRequest } from "./http/wire-request.ts";
import type { Credentials, Identity } from "./identity.ts";
import type { TransportOptions } from "./options.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { Scope } from "./scope.ts";
import { parseServerUrl, requestPath } from "./server-url.ts";
import { checkTlsText, TlsFiles, type TlsText } from "./tls-files.ts";
import type { TransportRequest } from "./transport.ts";
import { defaultUserAgent } from "./user-agent.ts";
import { Warnings } from "./warnings.ts";

type Lane = "requests" | "streams";

// API servers time out requests after 60 s, so a longer silence means a dead connection.
const SILENCE = 70_000;
/** Time in milliseconds after which a server has ended a watch for certain, beyond the time limit of the watch. */
const LATE_END = 12_000;
const MAX_RETRIES = 10;
const MAX_REDIRECTS = 10;
const RESET_PAUSE = 1000;
/** Replaces the status code if there was no response. */
const NO_ANSWER = "<error>";

/** Sends requests until they succeed or fail finally. Handles credentials, rate limits, retries, redirects and statuses. */
export class Sender {
  readonly #config: Config;
  readonly #options: TransportOptions;
  readonly #server: URL;
  readonly #headers: Record<string, string | string[]>;
  readonly #credentials: Credentials;
  readonly #limiter: RateLimiter | undefined;
  readonly #warnings: Warnings;
  readonly #running = new Set<Scope>();
  #connections: Connections | undefined;
  #certificate: ClientCertificate | undefined;
  readonly #tlsFiles: TlsFiles;
  #tls: TlsText | undefined;
  #closed: Error | undefined;

  constructor(config: Config, options: TransportOptions) {
    this.#config = { ...config };
    this.#options = options;
    this.#server = parseServerUrl(config.host);
    if (this.#server.protocol === "https:") checkTlsText(config);
    this.#headers = { "user-agent": config.userAgent ?? defaultUserAgent(), ...impersonationHeaders(config) };
    this.#credentials = createCredentials(config);
    this.#tlsFiles = new TlsFiles(config);
    this.#limiter = config.qps !== undefined && config.qps > 0 ? new RateLimiter(config.qps, config.burst) : undefined;
    this.#warnings = new Warnings(options.logger);
  }

  /**
   * Sends a request and passes its 2xx response to `read`. Rejects on every failure. Repeats a GET if the connection breaks
   * during its response.
   */
  async run<T>(
    request: TransportRequest,
    timeout: number | undefined,
    lane: Lane,
    read: (answer: WireAnswer, what: string, scope: Scope) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw this.#closed;
    const path = requestPath(this.#server, request);
    const what = `${request.method} ${this.#server.origin}${path}`;
    const late = (): Error => new TransportError("ETIMEDOUT", `${what}: no response within ${timeout} ms`);
    const scope = new Scope(request.signal, timeout, late);
    this.#running.add(scope);
    scope.onRelease = () => this.#running.delete(scope);
    try {
      const wire = this.#prepare(request, path, lane, timeout);
      const result = await this.#attempt(wire, what, request.maxRetries ?? MAX_RETRIES, lane, scope, read);
      if (lane === "requests") scope.release();
      return result;
    } catch (error) {
      scope.release();
      throw scope.ended ? scope.reason : toTransportError(error, what);
    }
  }

  async close(reason: Error): Promise<void> {
    if (this.#closed) return;
    this.#closed = reason;
    for (const scope of this.#running) scope.end(reason);
    this.#connections?.destroy(reason);
  }

  #prepare(request: TransportRequest, path: string, lane: Lane, timeout: number | undefined): WireRequest {
    const headers: Record<string, string | string[]> = {
      accept: request.accept ?? "application/json",
      // Decompressing each event of a watch would delay it by about a millisecond.
      ...(lane === "requests" && this.#config.disableCompression !== true && { "accept-encoding": gzip }),
      ...this.#headers,
      ...request.headers,
    };
    const wire: WireRequest = {
      origin: this.#server.origin,
      method: request.method,
      path,
      headers,
      headersTimeout: Math.max(SILENCE, timeout ?? 0),
      bodyTimeout: lane === "requests" ? SILENCE : (request.idleTimeout ?? idleTimeoutOf(request)),
      beforeSend: request.beforeSend,
    };
    if (request.body !== undefined) {
      wire.body = stringifyJson(request.body);
      headers["content-type"] = request.contentType ?? "application/json";
    }
    return wire;
  }

  async #attempt<T>(
    wire: WireRequest,
    what: string,
    maxRetries: number,
    lane: Lane,
    scope: Scope,
    read: (answer: WireAnswer, what: string, scope: Scope) => Promise<T>,
  ): Promise<T> {
    let retries = 0;
    let redirects = 0;
    let renewed = false;
    const details = this.#options.details?.();
    details?.sent(wire.method, this.#server.host, Buffer.byteLength(wire.body ?? ""));
    for (;;) {
      try {
        const { answer, identity } = await this.#send(wire, lane, scope);
        if (answer.status >= 200 && answer.status < 300) {
          const result = await read(answer, what, scope);
          if (lane === "requests") details?.received(wire.method, this.#server.host, answer.body.received);
          return result;
        }
        if (answer.status === 401 && !renewed) {
          renewed = true;
          const renewals = Promise.all([this.#credentials.renew(identity), this.#tlsFiles.renew()]);
          const isRenewed = await scope.unlessEnded(renewals);
          if (isRenewed.includes(true)) {
            discard(answer);
            continue;
          }
        }
        const after = answer.status === 429 || answer.status >= 500 ? retryAfterSeconds(answer) : undefined;
        if (after !== undefined && retries < maxRetries) {
          retries++;
          details?.retried(wire.method, this.#server.host, String(answer.status));
          discard(answer);
          await scope.sleep(after * 1000);
          continue;
        }
        if (answer.status >= 300 && answer.status < 400) {
          if (++redirects > MAX_REDIRECTS) throw new TransportError("EBADANSWER", `${what}: redirected too often`);
          wire.path = redirectTarget(answer, wire, what);
          discard(answer);
          continue;
        }
        throw await readFailure(answer, what, wire.method);
      } catch (error) {
        const failure = scope.ended ? scope.reason : toTransportError(error, what);
        // The next attempt, here or by the caller, uses the renewed files.
        if (isTransportError(failure) && !scope.ended) await this.#tlsFiles.renew();
        if (scope.ended || wire.method !== "GET" || !isConnectionReset(failure) || retries >= maxRetries) throw failure;
        details?.retried(wire.method, this.#server.host, NO_ANSWER);
        // The first reset is usually an idle connection that the server dropped, so retry without waiting.
        if (retries++ > 0) await scope.sleep(RESET_PAUSE);
      }
    }
  }

  async #send(wire: WireRequest, lane: Lane, scope: Scope): Promise<{ answer: WireAnswer; identity: Identity }> {
    scope.throwIfEnded();
    if (this.#limiter) await this.#waitForLimit(this.#limiter, wire.method, scope);
    const current = this.#credentials.current();
    // A credential plugin can hang, so the request's timeout and signal apply to it.
    const identity = current instanceof Promise ? await scope.unlessEnded(current) : current;
    if (identity.authorization === undefined) delete wire.headers.authorization;
    else wire.headers.authorization = identity.authorization;
    const files = this.#tlsFiles.current();
    const tls = files instanceof Promise ? await scope.unlessEnded(files) : files;
    scope.throwIfEnded();
    const connections = this.#connect(identity.certificate, tls);
    const started = performance.now();
    let code = NO_ANSWER;
    try {
      const answer = await exchange(connections[lane], wire, scope);
      code = String(answer.status);
      this.#warnings.note(answer.headers.warning);
      return { answer, identity };
    } finally {
      const duration = performance.now() - started;
      this.#options.observe?.({ method: wire.method, code, host: this.#server.host, duration });
    }
  }

  async #waitForLimit(limiter: RateLimiter, method: string, scope: Scope): Promise<void> {
    const started = performance.now();
    await limiter.wait(scope);
    this.#options.details?.()?.rateLimited(method, this.#server.host, performance.now() - started);
  }

  // A new certificate or authority requires new connections. Current requests finish on the old ones.
  #connect(certificate: ClientCertificate | undefined, tls: TlsText): Connections {
    if (this.#connections === undefined || certificate?.cert !== this.#certificate?.cert || tls !== this.#tls) {
      const old = this.#connections;
      this.#certificate = certificate;
      this.#tls = tls;
      const details = this.#options.details?.();
      const onResolved = details && ((duration: number): void => details.resolved(this.#server.host, duration));
      const config = { ...this.#config, ...tls };
      this.#connections = openConnections(config, this.#server, certificate, onResolved, () => this.#tlsFiles.read());
      old?.close();
    }
    return this.#connections;
  }
}

function idleTimeoutOf(request: TransportRequest): number {
  const seconds = Number(request.query?.timeoutSeconds);
  return seconds > 0 ? seconds * 1000 + LATE_END : 0;
}

// Frees the connection. Small bodies are read completely, so that the connection can be reused.
function discard(answer: WireAnswer): void {
  answer.body.beginning(64 * 1024).catch(() => {});
}

// Follows redirects only within the same server, so that credentials don't reach another one.
function redirectTarget(answer: WireAnswer, wire: WireRequest, what: string): string {
  const location = answer.headers.location;
  const title = `${what}: the server answered ${answer.status}`;
  if (!location) throw new TransportError("EBADANSWER", `${title} without a location`);
  const target = new URL(location, `${wire.origin}${wire.path}`);
  if (target.origin !== wire.origin) {
    throw new TransportError(
      "EBADANSWER",
      `${title}: it redirects to ${target.origin}; use that address if it is trusted`,
    );
  }
  if (wire.method !== "GET") {
    throw new TransportError(
      "EBADANSWER",
      `${title}: it redirects a ${wire.method} to ${target.pathname}, which isn't followed`,
    );
  }
  return target.pathname + target.search;
}
