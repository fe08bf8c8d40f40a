import { createServer, connect as dial, type Server, type Socket } from "node:net";
import type { Config } from "../../config/config.ts";
import { silentLogger } from "../../log/logger.ts";
import { Manager } from "../../manager/manager.ts";
import { allowed } from "../admission/response.ts";
import type { SelfManagedCertificatesOptions } from "../options/self-managed.ts";

/** Replaces a Service: connects to the replicas in turn. */
export interface Service {
  readonly port: number;
  /** Ports of the replicas that accept new connections. */
  readonly endpoints: number[];
  /** Returns the number of open sockets. */
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
          // After the end of its pipe, a socket isn't read, and the end of the other side would stay unnoticed.
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

/** One process of an operator, with its webhooks only. */
export interface Replica {
  port: number;
  calls(): number;
  stop(): Promise<void>;
}

/** Starts a replica. Resolves when it serves requests. */
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
