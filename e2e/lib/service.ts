import { createServer, connect as dial, type Socket } from "node:net";

/** A replacement for a Service: connections go to the replicas in turn. */
export interface Service {
  readonly port: number;
  /** Ports of the replicas that receive new connections. */
  readonly endpoints: number[];
  close(): void;
}

/** Starts a Service without endpoints on a free port of the loopback address. */
export async function startService(): Promise<Service> {
  const endpoints: number[] = [];
  const sockets = new Set<Socket>();
  let turn = 0;
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      // Data that is piped nowhere isn't read, so the other side would never notice the end.
      to.destroySoon();
    });
    from.pipe(to);
  };
  const server = createServer((incoming) => {
    const port = endpoints[turn++ % endpoints.length];
    if (port === undefined) return void incoming.destroy();
    const outgoing = dial(port, "127.0.0.1");
    forward(incoming, outgoing);
    forward(outgoing, incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port, endpoints, close };
}
