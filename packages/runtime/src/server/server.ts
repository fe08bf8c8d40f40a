import type { RequestListener } from "node:http";
import { aborted } from "../clock/abort.ts";
import { named } from "../errors/named.ts";
import { guarded } from "../http/guarded.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import type { Runnable } from "../runnable/runnable.ts";
import { type BindAddress, parseBindAddress } from "./bind-address.ts";
import { HttpServer, type NodeServer } from "./http-server.ts";

/** Options of a {@link Server}. */
export interface ServerOptions {
  /**
   * Name of the server in logs.
   *
   * @defaultValue none
   */
  name?: string;
  /**
   * A plain or secure server of Node.js, or a listener, for which a plain server is created. A server that is listening
   * is used as it is. Connections and request heads are limited only for a listener: your own server keeps its limits.
   */
  server: NodeServer | RequestListener;
  /**
   * Address to listen on, such as `:8090`. Required if the server isn't listening.
   *
   * @defaultValue none
   */
  bindAddress?: string | BindAddress;
  /**
   * Serves only on the leader.
   *
   * @defaultValue false, which serves on every replica
   */
  onlyServeWhenLeader?: boolean;
  /**
   * Time in milliseconds to wait for requests in progress at the end.
   *
   * @defaultValue the manager's `gracefulShutdownTimeout`
   */
  shutdownTimeout?: number;
  /**
   * Logger of the server.
   *
   * @defaultValue the manager's logger
   */
  logger?: Logger;
}

/**
 * Runs any HTTP server as long as the manager: it starts before the caches and stops after everything else.
 *
 * @example
 * await mgr.add(new Server({ name: "api", server: (request, response) => response.end("ok\n"), bindAddress: ":8090" }));
 */
export class Server implements Runnable {
  readonly #options: ServerOptions;
  readonly #address: BindAddress | undefined;
  readonly #http: HttpServer;
  #log: Logger;

  /**
   * Creates a server.
   *
   * @param options - see {@link ServerOptions}
   * @throws Error if the address isn't valid, or if it is missing and the server isn't listening
   */
  constructor(options: ServerOptions) {
    const { server, bindAddress, logger } = options;
    this.#options = options;
    this.#http =
      typeof server === "function"
        ? HttpServer.of(guarded(server, () => this.#log, "Bug in a server"))
        : new HttpServer(server);
    this.#address = typeof bindAddress === "string" ? parseBindAddress(bindAddress) : bindAddress;
    if (!this.#address && !this.#http.node.listening) {
      throw new Error(
        `the server ${options.name ?? ""} has no bindAddress and isn't listening: set one, such as ":8090"`,
      );
    }
    this.#log = logger ?? silentLogger;
  }

  /** Port of the server. Unset until it is bound. */
  get port(): number | undefined {
    return this.#http.node.listening ? this.#http.port : undefined;
  }

  /**
   * Returns whether only the leader serves.
   *
   * @returns `onlyServeWhenLeader` of the options
   */
  needLeaderElection(): boolean {
    return this.#options.onlyServeWhenLeader ?? false;
  }

  /**
   * Sets the manager's logger. Called by {@link Manager.add}.
   *
   * @param logger - the manager's logger
   * @internal
   */
  adopt(logger: Logger): void {
    this.#log = this.#options.logger ?? logger;
  }

  /**
   * Binds the port and serves from now on, before {@link start}, to detect an occupied port early.
   *
   * @throws Error if the port is occupied
   */
  async bind(): Promise<void> {
    if (!this.#address || this.#http.node.listening) return;
    await named(`the server ${this.#options.name ?? ""}`.trim(), this.#http.bind(this.#address));
  }

  /**
   * Serves until the signal aborts. Resolves when all requests are answered.
   *
   * @param signal - stops the server
   * @throws Error if the port is occupied
   */
  async start(signal: AbortSignal): Promise<void> {
    await this.bind();
    const { name } = this.#options;
    const log = this.#log.with({ ...(name ? { name } : {}), addr: this.#addressText() });
    log.info("starting server");
    await aborted(signal);
    log.info("shutting down server");
    if (!(await this.close())) log.error(new Error("timed out"), "error shutting down server");
  }

  /**
   * Stops the server, even if it was never started.
   *
   * @returns whether all requests were answered
   */
  close(): Promise<boolean> {
    return this.#http.close(this.#options.shutdownTimeout);
  }

  #addressText(): string {
    const address = this.#http.node.address();
    if (typeof address === "string" || !address) return String(address);
    return `${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
  }
}
