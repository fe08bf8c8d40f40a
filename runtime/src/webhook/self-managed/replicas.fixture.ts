import { createServer, connect as dial, type Server, type Socket } from "node:net";
import type { Config } from "../../config/config.ts";
import { silentLogger } from "../../log/logger.ts";
import { Manager } from "../../manager/manager.ts";
import { allowed } from "../admission/response.ts";
import type { SelfManagedCertificatesOptions } from "./options.ts";

/** Stands for a Service: connections go to the replicas in turn. */
export interface Service {
  readonly port: number;
  /** Ports of the replicas that take new connections. */
  readonly endpoints: number[];
  /** How many ends of connections it holds. */
  open(): number;
  close(): void;
}

export async function startService(): Promise<Service> {
  const endpoints: number[] = [];
  const sockets = new Set<Socket>();
  let turn = 0;
  const server: Server = createServer((incoming) => {
    const port = endpoints[turn++ % endpoints.length];
    if (port === undefined) return void incoming.destroy();
    const outgoing = dial(port, "127.0.0.1");
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from
        .on("error", () => to.destroy())
        .on("close", () => {
          sockets.delete(from);
          // What is piped nowhere any more isn't read: that the other side has gone would never be noticed.
          to.destroySoon();
        });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    endpoints,
    open: () => sockets.size,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A process of an operator, as far as its webhooks go. */
export interface Replica {
  port: number;
  calls(): number;
  stop(): Promise<void>;
}

/** Starts one more; resolves when it serves. */
export async function startReplica(config: Config, options: SelfManagedCertificatesOptions): Promise<Replica> {
  const mgr = await Manager.create(config, {
    webhook: { host: "127.0.0.1", port: 0, selfManagedCertificates: options },
    metrics: { bindAddress: "0" },
    logger: silentLogger,
  });
  let calls = 0;
  mgr.webhookServer.register("/validate", {
    handle: () => {
      calls++;
      return allowed();
    },
  });
  const stop = new AbortController();
  const done = mgr.start(stop.signal);
  await Promise.race([mgr.webhookServer.ready(), done]);
  return {
    port: mgr.webhookServer.port ?? 0,
    calls: () => calls,
    stop: () => {
      stop.abort();
      return done;
    },
  };
}
