import type { WebhookServerOptions } from "../options/server.ts";
import type { LocalSessionParts } from "./session.ts";

/** The parts of a manager that {@link localWebhooks} uses. */
export type LocalWebhooksParts = Pick<LocalSessionParts, "reader" | "client" | "log" | "paths"> & {
  readonly definitions: () => Promise<readonly string[]>;
  /** Resolves with the port of the webhook server when it listens. */
  readonly port: () => Promise<number>;
};

/** Webhooks of this process that a cluster calls by URL. */
export interface LocalWebhooks {
  /** Options of the webhook server. The certificate is for the host of the URL, from a CA that is created for this run. */
  readonly server: Pick<WebhookServerOptions, "certificates" | "host" | "port">;
  /** Whether the caches start after the cluster was configured. */
  readonly precedeCaches: boolean;
  /**
   * Configures the cluster to call them until the signal aborts, then restores the configuration.
   *
   * @param onConfigured - called when the cluster calls them
   */
  run(parts: LocalWebhooksParts, signal: AbortSignal, onConfigured: () => void): Promise<void>;
}

/** Runs local webhooks as long as a manager, which waits for `ready` if they precede its caches. */
export interface LocalRunnable {
  start(signal: AbortSignal): Promise<void>;
  ready(): Promise<void>;
}

/** The webhook server of a manager. */
export interface ServedWebhooks {
  /** Read at the start: paths are registered until then. */
  readonly paths: readonly string[];
  readonly port: number | undefined;
  /** Resolves when it listens. */
  ready(): Promise<void>;
}

/** Returns what a manager runs for local webhooks. */
export function localRunnable(
  local: LocalWebhooks,
  server: ServedWebhooks,
  parts: Pick<LocalWebhooksParts, "reader" | "client" | "log">,
  definitions: LocalWebhooksParts["definitions"],
): LocalRunnable {
  let onConfigured = (): void => {};
  const configured = new Promise<void>((resolve) => {
    onConfigured = resolve;
  });
  const port = () => server.ready().then(() => server.port ?? 0);
  return {
    start: (signal) => local.run({ ...parts, paths: server.paths, definitions, port }, signal, onConfigured),
    ready: () => configured,
  };
}
