import { newControllerManagedBy } from "../../src/builder/builder.ts";
import type { Client } from "../../src/client/client.ts";
import { createLiveClient } from "../../src/client/live-client.ts";
import type { Config } from "../../src/config/config.ts";
import { createRestMapper } from "../../src/discovery/rest-mapper.ts";
import { createLogger } from "../../src/log/create-logger.ts";
import { Manager } from "../../src/manager/manager.ts";
import type { ManagerOptions } from "../../src/manager/options.ts";
import { ConfigMap, Widget, WidgetReconciler } from "../../src/manager/widget.fixture.ts";
import { createTransport } from "../../src/transport/create-transport.ts";

/** A log line. */
export interface Line {
  level: string;
  msg: string;
  error?: string;
  kind?: string;
  [field: string]: unknown;
}

/** An operator of Widgets in this process. */
export interface RunningOperator {
  readonly manager: Manager;
  readonly reconciler: WidgetReconciler;
  /** Log lines, in order. */
  readonly lines: Line[];
  /** Settles when the operator has ended. */
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

/** Starts an operator and waits until its caches have synced. */
export async function startOperator(config: Config, options: ManagerOptions = {}): Promise<RunningOperator> {
  const lines: Line[] = [];
  const logger = createLogger({
    level: "debug",
    destination: { write: (line) => void lines.push(JSON.parse(line) as Line) },
  });
  const manager = await Manager.create(config, { metrics: { bindAddress: "0" }, logger, ...options });
  const reconciler = new WidgetReconciler(manager.client);
  await newControllerManagedBy(manager).for(Widget).owns(ConfigMap).complete(reconciler);
  const stop = new AbortController();
  const done = manager.start(stop.signal);
  await Promise.race([manager.cache.waitForSync(stop.signal), done]);
  return {
    manager,
    reconciler,
    lines,
    done,
    async stop(): Promise<void> {
      stop.abort();
      await done;
    },
  };
}

/** Creates a client that bypasses all faults. */
export function directClient(config: Config): { client: Client; close(): Promise<void> } {
  const transport = createTransport(config);
  const client = createLiveClient({ transport, mapper: createRestMapper(transport) });
  return { client, close: () => transport.close() };
}
