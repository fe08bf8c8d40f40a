import type { RequestListener, ServerResponse } from "node:http";
import type { Logger } from "../log/logger.ts";
import type { ManagerMetrics } from "../metrics/metrics.ts";
import type { MetricsHandlerOptions } from "./options.ts";

/**
 * Creates the handler of `/metrics`.
 *
 * @param metrics - the metrics
 * @param logger - reports metrics that can't be gathered
 * @param options - the limits
 * @returns the handler
 */
export function metricsHandler(
  metrics: ManagerMetrics,
  logger: Logger,
  { maxRequestsInFlight = 0, timeout = 0 }: MetricsHandlerOptions = {},
): RequestListener {
  let inFlight = 0;
  const gather = async (): Promise<string> => {
    await metrics.addProcessSeries();
    return metrics.registry.metrics();
  };
  return async (request, response) => {
    if (maxRequestsInFlight > 0 && inFlight >= maxRequestsInFlight) {
      unavailable(response, `Limit of concurrent requests reached (${maxRequestsInFlight}), try again later.`);
      return;
    }
    inFlight++;
    const timer =
      timeout > 0
        ? setTimeout(() => unavailable(response, `Exceeded configured timeout of ${timeout} ms.`), timeout)
        : undefined;
    try {
      const text = await gather();
      if (!response.headersSent) response.writeHead(200, { "Content-Type": metrics.registry.contentType }).end(text);
    } catch (error) {
      logger.error(error, "Failed to gather metrics", { path: request.url });
      if (!response.headersSent) response.writeHead(500).end("metrics can't be gathered, see the log\n");
    } finally {
      clearTimeout(timer);
      inFlight--;
    }
  };
}

function unavailable(response: ServerResponse, problem: string): void {
  response.writeHead(503).end(`${problem}\n`);
}
