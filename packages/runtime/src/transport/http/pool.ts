// The runtime has its own client for HTTP/1.1 because of its memory. With undici 7.30.2 in its place, of which only
// `undici/lib/dispatcher/pool.js` was bundled, a deployed operator took 33 MiB more RSS after its first lists and watches (29
// MiB more PSS, and 41 MiB more at the peak), and 90 ms more processor time until its first reconcile. Without the memory
// limit and the arguments of Node in the Deployment, it took 14 MiB and 107 ms more. Medians of 15 runs in turn on Node
// 20.20.2 and a busy machine, measured by `node --import tsx bench/transport/operator.ts`. Limits for the replacement: 5 MiB and 20 ms.
import { setMaxListeners } from "node:events";
import { type AnswerHandler, Connection, type ConnectionOwner } from "./connection.ts";
import type { Dialer } from "./dial.ts";
import { requestText } from "./request-text.ts";
import { WireError } from "./wire-error.ts";
import type { WireRequest } from "./wire-request.ts";

/** Handles the sending of a request and its response. */
export interface Sending extends AnswerHandler {
  /** Called right before the request is written. If it throws, the request isn't sent. */
  onSend(connection: Connection): void;
}

interface Waiting {
  request: WireRequest;
  sending: Sending;
}

export interface PoolOptions {
  dialer: Dialer;
  /** Value of the `Host` header. */
  host: string;
  /** Maximum number of connections. */
  size: number;
  /** Time in milliseconds that an idle connection is kept. */
  idle: number;
  /** Pool whose idle connections are reused before new ones are opened. */
  lender?: Pool;
}

/**
 * Delay in milliseconds before idle connections stop keeping the process running. Doing this for each request would be too
 * expensive.
 */
const quiet = 50;
/**
 * Maximum age in milliseconds of the last response for lending a connection. A stream would notice a dead connection late.
 */
const proven = 1000;

/** The connections that requests to one server share. Opened on demand, up to a limit. */
export class Pool implements ConnectionOwner {
  readonly #options: PoolOptions;
  readonly #all = new Set<Connection>();
  /** The most recently used connection is used first, so that the others can expire. */
  readonly #free: Connection[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #dialling = new AbortController();
  #dials = 0;
  /** Connections that keep the process running. */
  readonly #held = new Set<Connection>();
  #quietTimer: NodeJS.Timeout | undefined;
  /** Whether connections close after their current responses. */
  #isRetired = false;
  #closed: Error | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    // Avoids Node's warning about more than ten listeners: there is one listener per connection attempt.
    setMaxListeners(0, this.#dialling.signal);
  }

  /** Sends a request as soon as a connection is available. Returns a function that cancels the request while it waits. */
  send(request: WireRequest, sending: Sending): () => void {
    if (this.#closed || this.#isRetired) {
      sending.onError(this.#closed ?? new WireError("ECLOSED", "the connections are closed"));
      return () => {};
    }
    const waiting = { request, sending };
    const free = this.#free.pop() ?? this.#borrowed();
    if (free) {
      this.#sendOn(free, waiting);
      return () => {};
    }
    this.#waiting.push(waiting);
    this.#dialMore();
    return () => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      if (this.#isRetired && this.#waiting.length === 0) this.#dialling.abort();
    };
  }

  /** Removes and returns an idle connection that was used recently, if there is one. */
  lend(borrower: ConnectionOwner): Connection | undefined {
    const connection = this.#free.at(-1);
    if (!connection || performance.now() - connection.answeredAt > proven) return undefined;
    this.#forget(connection);
    connection.handOver(borrower);
    return connection;
  }

  /**
   * Rejects new requests. Requests that wait for a connection still get one, and connections close after their current
   * responses.
   */
  close(): void {
    this.#isRetired = true;
    clearTimeout(this.#quietTimer);
    if (this.#waiting.length === 0) this.#dialling.abort();
    for (const connection of this.#free.splice(0)) connection.destroy(undefined);
  }

  /** Breaks all connections and their current requests. */
  destroy(error: Error): void {
    this.#end(error);
    for (const connection of this.#all) connection.destroy(error);
  }

  onIdle(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next) {
      this.#sendOn(connection, next);
    } else if (this.#closed || this.#isRetired) {
      connection.destroy(undefined);
    } else {
      this.#free.push(connection);
      this.#quietTimer ??= setTimeout(() => this.#letGo(), quiet);
    }
  }

  onGone(connection: Connection): void {
    this.#forget(connection);
    this.#dialMore();
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    this.#held.delete(connection);
    const at = this.#free.indexOf(connection);
    if (at >= 0) this.#free.splice(at, 1);
  }

  #borrowed(): Connection | undefined {
    if (this.#all.size >= this.#options.size) return undefined;
    const connection = this.#options.lender?.lend(this);
    if (connection) this.#all.add(connection);
    return connection;
  }

  #end(error: Error): void {
    this.#closed ??= error;
    clearTimeout(this.#quietTimer);
    this.#dialling.abort(error);
    for (const { sending } of this.#waiting.splice(0)) sending.onError(error);
  }

  #sendOn(connection: Connection, { request, sending }: Waiting): void {
    try {
      const text = requestText(request, this.#options.host);
      sending.onSend(connection);
      if (!this.#held.has(connection)) {
        this.#held.add(connection);
        connection.holdProcess(true);
      }
      connection.send(text, sending, { head: request.headersTimeout, body: request.bodyTimeout });
    } catch (error) {
      sending.onError(error);
      // Nothing was written, so the connection is reusable.
      if (this.#all.has(connection)) this.onIdle(connection);
    }
  }

  #letGo(): void {
    this.#quietTimer = undefined;
    for (const connection of this.#free) if (this.#held.delete(connection)) connection.holdProcess(false);
  }

  #dialMore(): void {
    while (!this.#closed && this.#waiting.length > this.#dials && this.#all.size + this.#dials < this.#options.size) {
      void this.#dial();
    }
  }

  async #dial(): Promise<void> {
    this.#dials++;
    try {
      const socket = await this.#options.dialer.dial(this.#dialling.signal);
      const connection = new Connection(socket, this.#options.idle, this);
      this.#all.add(connection);
      // An open socket keeps the process running from the start.
      this.#held.add(connection);
      this.#dials--;
      this.onIdle(connection);
    } catch (error) {
      this.#dials--;
      this.#waiting.shift()?.sending.onError(error);
      this.#dialMore();
    }
  }
}
