import type { RequestListener } from "node:http";
import { aborted } from "../clock/abort.ts";
import { named } from "../errors/named.ts";
import { guarded } from "../http/guarded.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import { type BindAddress, parseBindAddress } from "./bind-address.ts";
import { HttpServer, type NodeServer } from "./http-server.ts";
import type { Runnable } from "./runnable.ts";

/** What a {@link Server} serves, and where. */
export interface ServerOptions {
  /** Tells servers apart in the log. */
  name?: string;
  /**
   * What is served: a server of Node, plain or secure, or a listener that a plain one is made for. One that listens already is taken as
   * it is. Connections and request heads are limited only for a listener: a server of yours keeps its own limits.
   */
  server: NodeServer | RequestListener;
  /** Where to listen, such as `:8090`; needed where the server doesn't listen already. */
  bindAddress?: string | BindAddress;
  /** Serves on the leader alone; on every replica by default. */
  onlyServeWhenLeader?: boolean;
  /** Milliseconds that requests in progress are waited for at the end; without, as long as the manager waits. */
  shutdownTimeout?: number;
  /** The manager's by default. */
  logger?: Logger;
}

/**
 * Any HTTP server that is to live as long as the manager: it starts before the caches do, and ends after everything else.
 *
 * @example
 * await mgr.add(new Server({ name: "api", server: (request, response) => response.end("ok\n"), bindAddress: ":8090" }));
 */
export class Server implements Runnable {
  readonly #options: ServerOptions;
  readonly #address: BindAddress | undefined;
  readonly #http: HttpServer;
  #log: Logger;

  /** Throws an `Error` for an address that isn't one, and where none is given for a server that doesn't listen. */
  constructor(options: ServerOptions) {
    const { server, bindAddress, logger } = options;
    this.#options = options;
    this.#http =
      typeof server === "function"
        ? HttpServer.of(guarded(server, () => this.#log, "Observed a panic in a server"))
        : new HttpServer(server);
    this.#address = typeof bindAddress === "string" ? parseBindAddress(bindAddress) : bindAddress;
    if (!this.#address && !this.#http.node.listening) {
      throw new Error(`the server ${options.name ?? ""} doesn't listen and has no bindAddress, such as ":8090"`);
    }
    this.#log = logger ?? silentLogger;
  }

  /** The port, once bound. */
  get port(): number | undefined {
    return this.#http.node.listening ? this.#http.port : undefined;
  }

  needLeaderElection(): boolean {
    return this.#options.onlyServeWhenLeader ?? false;
  }

  /** Called by the manager that it is added to. */
  adopt(logger: Logger): void {
    this.#log = this.#options.logger ?? logger;
  }

  /** Serves from now on, before {@link start}: a taken port is known at once. Rejects where it is taken. */
  async bind(): Promise<void> {
    if (!this.#address || this.#http.node.listening) return;
    await named(`the server ${this.#options.name ?? ""}`.trim(), this.#http.bind(this.#address));
  }

  /** Serves until the signal aborts, and resolves when all is answered. Rejects when the port is taken. */
  async start(signal: AbortSignal): Promise<void> {
    await this.bind();
    const { name } = this.#options;
    const log = this.#log.with({ ...(name ? { name } : {}), addr: this.#addressText() });
    log.info("starting server");
    await aborted(signal);
    log.info("shutting down server");
    if (!(await this.close())) log.error(new Error("timed out"), "error shutting down server");
  }

  /** Ends a server that was never started too. Tells whether all was answered. */
  close(): Promise<boolean> {
    return this.#http.close(this.#options.shutdownTimeout);
  }

  #addressText(): string {
    const address = this.#http.node.address();
    if (typeof address === "string" || !address) return String(address);
    return `${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
  }
}
