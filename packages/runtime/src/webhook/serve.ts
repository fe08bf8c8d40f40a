import { readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import type { CertificatePair } from "../certs/certificate-pair.ts";
import { aborted } from "../clock/abort.ts";
import { guarded } from "../http/guarded.ts";
import { pathOf } from "../http/path.ts";
import { refuse } from "../http/refusal.ts";
import type { WebhookTlsOptions } from "../http/tls.ts";
import { tlsDefaults } from "../http/tls.ts";
import type { Logger } from "../log/logger.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { admissionListener } from "./admission/hook.ts";
import { conversionListener } from "./conversion/hook.ts";
import { certificatesOf, defaultCertDir } from "./http/certificates.ts";
import type { HookHost } from "./http/hook-host.ts";
import type { WebhookInspection } from "./http/inspection.ts";
import { SecureServer } from "./http/listen.ts";
import { bodyMemory } from "./http/memory-limiter.ts";
import type { WebhookMetrics } from "./http/metrics.ts";
import { loopbackOf } from "./options/local.ts";
import type { WebhookServerOptions } from "./options/server.ts";
import type { WebhookRoute } from "./route.ts";

const defaultPort = 9443;
/**
 * Time in milliseconds that Services take to stop sending requests to a Pod: usually one or two seconds, in large
 * clusters more.
 */
const delayInPods = 3000;
/** Time in milliseconds in which the last responses must be sent once the server stops. */
const drainTime = 60_000;
const dialTimeout = 10_000;

export interface ServeParts {
  options: WebhookServerOptions;
  log: Logger;
  metrics: WebhookMetrics;
  tracer?: () => Tracer | undefined;
  inspection?: WebhookInspection;
  /** Handlers by path. Paths can be added later. */
  routes: ReadonlyMap<string, WebhookRoute>;
}

/** A running webhook server. */
export interface WebhookService {
  readonly port: number;
  /**
   * Resolves when all requests are answered after the signal has aborted. Rejects when a handler's error must end the
   * process.
   */
  readonly ended: Promise<void>;
  /** Connects to the server like an API server. Rejects if that fails. */
  dial(): Promise<void>;
}

/** Serves until the signal aborts. Rejects without a certificate, or if the port is occupied. */
export async function serveWebhooks(parts: ServeParts, signal: AbortSignal): Promise<WebhookService> {
  const { options, log } = parts;
  let server: SecureServer | undefined;
  // Renewals can precede the listening: the server starts with the latest pair.
  let pair: CertificatePair | undefined;
  const onRenewed = (renewed: CertificatePair): void => {
    pair = renewed;
    server?.setCertificate(renewed);
  };
  const first = await certificatesOf(options, parts).watch(signal, onRenewed);
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const { metrics, tracer, inspection } = parts;
  const listener = dispatcher(parts, { log, metrics, memory: bodyMemory(), tracer, inspection, fail });
  const tls = await tlsOptions(options, pair ?? first);
  const { host = loopbackOf(options.local), port = defaultPort, enableHTTP2 = false } = options;
  const { shutdownDelay = isInPod() ? delayInPods : 0 } = options;
  server = await SecureServer.listen({ host, port, tls, enableHTTP2, listener });
  const { address } = server;
  log.info("Serving webhook server", { host: host ?? "", port: address.port });
  const running = server;
  const drained = aborted(signal).then(async () => {
    if (shutdownDelay > 0) await sleep(shutdownDelay);
    log.info("Shutting down webhook server with timeout of 1 minute");
    return running.drain(drainTime);
  });
  return {
    port: address.port,
    ended: Promise.race([drained, failed]),
    dial: () => dial(host || (address.family === "IPv6" ? "::1" : "127.0.0.1"), address.port),
  };
}

function isInPod(): boolean {
  return process.env.KUBERNETES_SERVICE_HOST !== undefined;
}

async function tlsOptions(options: WebhookServerOptions, pair: CertificatePair): Promise<WebhookTlsOptions> {
  const { clientCAName, certDir, tlsMinVersion = tlsDefaults.minVersion, tlsOpts = [] } = options;
  const tls: WebhookTlsOptions = { ...tlsDefaults, ...pair, minVersion: tlsMinVersion };
  if (clientCAName) {
    tls.ca = await readFile(join(certDir || defaultCertDir(), clientCAName), "utf8");
    tls.requestCert = true;
    tls.rejectUnauthorized = true;
  }
  for (const change of tlsOpts) change(tls);
  return tls;
}

function dispatcher({ routes, metrics }: ServeParts, host: HookHost): RequestListener {
  const listeners = new Map<WebhookRoute, RequestListener>();
  const listenerOf = (route: WebhookRoute): RequestListener => {
    const listener = listeners.get(route) ?? makeListener(route, host);
    listeners.set(route, listener);
    return listener;
  };
  return (request, response) => {
    if (host.inspection?.isDown) {
      request.socket.destroy();
      return;
    }
    const path = pathOf(request.url);
    const servedPath = routes.has(path) ? path : "/";
    const route = routes.get(servedPath);
    if (!route) {
      refuse(response);
      response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("404 page not found\n");
      return;
    }
    const answered = metrics.started(servedPath);
    response.once("close", () => answered(response.statusCode));
    listenerOf(route)(request, response);
  };
}

function makeListener(route: WebhookRoute, host: HookHost): RequestListener {
  switch (route.type) {
    case "admission":
      return admissionListener({ ...route.options, handler: route.handler }, host);
    case "conversion":
      return conversionListener(route.converters, host);
    case "listener":
      return guarded(route.listener, () => host.log, "Bug in the webhook");
  }
}

function dial(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: dialTimeout });
    const end = (error?: Error): void => {
      socket.destroy();
      if (error) reject(new Error(`webhook server is not reachable: ${error.message}`, { cause: error }));
      else resolve();
    };
    socket.once("secureConnect", () => end());
    socket.once("timeout", () => end(new Error("timed out")));
    socket.once("error", end);
  });
}
