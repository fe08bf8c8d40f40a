import type { RequestListener } from "node:http";
import { createLogger } from "../../log/create-logger.ts";
import type { Logger } from "../../log/logger.ts";
import { noWebhookMetrics } from "../metrics.ts";
import type { AdmissionOptions } from "../options.ts";
import type { AdmissionHandler } from "./types.ts";

/** How a webhook without manager answers. */
export interface StandaloneOptions extends AdmissionOptions {
  /** JSON lines on standard error by default. */
  logger?: Logger;
}

/**
 * An admission webhook for a server of one's own, without a manager: answers AdmissionReviews, at whatever path it is put. With
 * `recoverPanic: false` a bug in the handler ends the connection without an answer.
 *
 * The webhook limits the size, the rate and the memory of request bodies. Your server limits everything else: connections, request
 * heads and TLS versions. Node's servers accept any number of connections by default. `mgr.webhookServer` and a {@link Server} that
 * gets a listener limit connections as well.
 *
 * @example
 * https.createServer({ cert, key }, standaloneWebhook({ handle: () => allowed() })).listen(9443);
 */
export function standaloneWebhook(handler: AdmissionHandler, options: StandaloneOptions = {}): RequestListener {
  const { logger: log = createLogger(), ...hook } = options;
  const host = {
    log,
    metrics: noWebhookMetrics,
    fail: (error: unknown) => log.error(error, "The webhook has failed and isn't to be recovered"),
  };
  // Loaded when it is made: what answers reviews would weigh upon every program that imports the runtime.
  const listener = import("./hook.ts").then(({ admissionListener }) => admissionListener({ ...hook, handler }, host));
  return async (request, response) => (await listener)(request, response);
}
