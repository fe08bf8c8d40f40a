import { setMaxListeners } from "node:events";
import { WireError } from "../wire-error.ts";
import { type AnswerHandler, Connection, type ConnectionOwner } from "./connection.ts";
import type { Dialer } from "./dial.ts";
import { requestText } from "./request-text.ts";
import type { WireRequest } from "./wire-request.ts";

/** What a request has of the connection that it is sent on. */
export interface Sending extends AnswerHandler {
  /** The request is about to be written; throws what keeps it back. */
  onSend(connection: Connection): void;
}

interface Waiting {
  request: WireRequest;
  sending: Sending;
}

export interface PoolOptions {
  dialer: Dialer;
  /** `Host` header. */
  host: string;
  /** Connections at a time. */
  size: number;
  /** Milliseconds that an idle connection is kept. */
  idle: number;
  /** Whose idle connections may be taken over before new ones are made. */
  lender?: Pool;
}

/** An idle connection must not keep a process from ending; telling the system so for each request would cost more than it. */
const quiet = 50;
/** Milliseconds since its last answer for which a connection is certain enough to be there: a stream that finds nobody waits long. */
const proven = 1000;

/** The connections that requests to one server share: as many as are needed at a time, up to a limit. */
export class Pool implements ConnectionOwner {
  readonly #options: PoolOptions;
  readonly #all = new Set<Connection>();
  /** The one used last goes first: the others get the chance to age. */
  readonly #free: Connection[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #dialling = new AbortController();
  #dials = 0;
  /** Those that keep the process from ending. */
  readonly #held = new Set<Connection>();
  #quietTimer: NodeJS.Timeout | undefined;
  #closed: Error | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    // As many connections may be made at a time as there are requests; Node takes more than ten for a leak.
    setMaxListeners(0, this.#dialling.signal);
  }

  /** Sends a request as soon as there is a connection for it. Gives a function that takes it back while it waits. */
  send(request: WireRequest, sending: Sending): () => void {
    if (this.#closed) {
      sending.onError(this.#closed);
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
    };
  }

  /** Gives an idle connection away that has just been of use, where there is one. */
  lend(borrower: ConnectionOwner): Connection | undefined {
    const connection = this.#free.at(-1);
    if (!connection || performance.now() - connection.answeredAt > proven) return undefined;
    this.#forget(connection);
    connection.handOver(borrower);
    return connection;
  }

  /** Takes no more requests; connections go when they have answered what runs. */
  close(): void {
    this.#end(new WireError("ECLOSED", "the connections are closed"));
    for (const connection of this.#free.splice(0)) connection.destroy(undefined);
  }

  /** Breaks what runs. */
  destroy(error: Error): void {
    this.#end(error);
    for (const connection of this.#all) connection.destroy(error);
  }

  onIdle(connection: Connection): void {
    const next = this.#waiting.shift();
    if (this.#closed) {
      connection.destroy(undefined);
    } else if (next) {
      this.#sendOn(connection, next);
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
      // Nothing was written: the connection is as good as it was.
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
      // A socket keeps the process from the moment it is made.
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
