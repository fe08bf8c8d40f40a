import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Config } from "../../src/config/config.ts";

/**
 * State of the connection. `whole` forwards data, and `paused` holds it back until the state is `whole` again. `frozen`
 * accepts data and new connections, but drops the data. `refusing` accepts no connections.
 */
export type CableState = "whole" | "paused" | "frozen" | "refusing";

/** A TCP connection to the API server, below TLS, which can be cut, frozen and half-closed. */
export class TcpProxy {
  /** Total number of accepted connections. */
  connections = 0;
  #state: CableState = "whole";
  #upstream: Config;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();

  private constructor(upstream: Config) {
    this.#upstream = upstream;
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#take(client));
  }

  /** Starts a proxy on a free port of 127.0.0.1. */
  static async start(upstream: Config): Promise<TcpProxy> {
    const proxy = new TcpProxy(upstream);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  /** Routes new connections to another server, like a load balancer. Open connections are unaffected. */
  set upstream(upstream: Config) {
    this.#upstream = upstream;
  }

  /** Returns the configuration of clients that connect through this proxy, with the same credentials. */
  get config(): Config {
    return { ...this.#upstream, host: `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}` };
  }

  get state(): CableState {
    return this.#state;
  }

  /** Sets the state of open and new connections. A frozen connection never recovers, as after a lost route. */
  set state(state: CableState) {
    const before = this.#state;
    this.#state = state;
    if (state === "refusing") this.cut();
    else if (state === "frozen") this.#pairs.forEach(freeze);
    else if (state === "paused") this.#pairs.forEach(pause);
    else if (before === "paused") this.#pairs.forEach(join);
  }

  /** Resets all connections. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** Sends a FIN to the client on all connections, and continues to read. */
  halfClose(): void {
    for (const { client, server } of this.#pairs) {
      server.unpipe(client);
      server.resume();
      client.end();
    }
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #take(client: Socket): void {
    this.connections++;
    client.on("error", () => {});
    if (this.#state === "refusing") {
      client.resetAndDestroy();
      return;
    }
    const { hostname, port } = new URL(this.#upstream.host);
    const server = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const pair: Pair = { client, server };
    this.#pairs.add(pair);
    server.on("error", () => client.resetAndDestroy());
    client.on("close", () => {
      this.#pairs.delete(pair);
      server.destroy();
    });
    server.on("close", () => {
      if (this.#state !== "frozen") client.destroy();
    });
    if (this.#state === "frozen") client.resume();
    else if (this.#state === "whole") join(pair);
  }
}

interface Pair {
  client: Socket;
  server: Socket;
}

function join({ client, server }: Pair): void {
  client.pipe(server);
  server.pipe(client);
}

function pause({ client, server }: Pair): void {
  client.unpipe(server).pause();
  server.unpipe(client).pause();
}

function freeze(pair: Pair): void {
  pause(pair);
  pair.client.resume();
}
