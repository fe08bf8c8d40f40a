import type { RequestListener } from "node:http";
import { hostname } from "node:os";
import { certificateFiles } from "../certs/certificate-files.ts";
import { selfSigned } from "../certs/self-signed.ts";
import { type HealthChecks, healthListener } from "../health/health.ts";
import type { Logger } from "../log/logger.ts";
import { AccessReview } from "../metrics/access-review.ts";
import type { ManagerMetrics } from "../metrics/metrics.ts";
import type { Transport } from "../transport/transport.ts";
import type { BindAddress } from "./bind-address.ts";
import { listen, type RunningServer } from "./http-server.ts";
import type { MetricsOptions } from "./options.ts";
import type { Runnable } from "./runnable.ts";

/** Serves the probes: from its making on, because a kubelet asks before everything is started. */
export class HealthServer implements Runnable {
  readonly #server: RunningServer;

  private constructor(server: RunningServer) {
    this.#server = server;
  }

  static async bind(address: BindAddress, checks: readonly HealthChecks[], log: Logger): Promise<HealthServer> {
    const server = await listen(address, healthListener(checks));
    log.info("starting server", { name: "health probe", addr: `${address.host ?? "[::]"}:${server.port}` });
    return new HealthServer(server);
  }

  get port(): number {
    return this.#server.port;
  }

  async start(signal: AbortSignal): Promise<void> {
    await untilAborted(signal);
    await this.#server.close();
  }
}

/** Serves the metrics while the manager runs. */
export interface MetricsServer extends Runnable {
  readonly port: number | undefined;
}

export interface MetricsServerParts {
  address: BindAddress;
  metrics: ManagerMetrics;
  transport: Transport;
  logger: Logger;
  options: MetricsOptions;
}

export function metricsServer({ address, metrics, transport, logger, options }: MetricsServerParts): MetricsServer {
  const secure = options.secureServing ?? false;
  const plain: RequestListener = async (request, response) => {
    if (new URL(request.url ?? "/", "http://localhost").pathname !== "/metrics") {
      response.writeHead(404).end("404 page not found\n");
      return;
    }
    const text = await metrics.registry.metrics();
    response.writeHead(200, { "Content-Type": metrics.registry.contentType }).end(text);
  };
  async function listenSecurely(signal: AbortSignal): Promise<RunningServer> {
    const { certDir, certName, keyName } = options;
    const certificates = certDir
      ? certificateFiles({ certDir, certName, keyName, log: logger })
      : selfSigned([hostname(), "localhost"]);
    let server: RunningServer | undefined;
    const pair = await certificates.watch(signal, (renewed) => server?.setCertificate(renewed));
    server = await listen(address, new AccessReview({ transport, log: logger }).protect(plain), pair);
    return server;
  }

  let port: number | undefined;
  return {
    get port() {
      return port;
    },
    async start(signal) {
      const server = secure ? await listenSecurely(signal) : await listen(address, plain);
      port = server.port;
      const bindAddress = `${address.host ?? ""}:${port}`;
      logger.info("Serving metrics server", { bindAddress, secure });
      await untilAborted(signal);
      await server.close();
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
