import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { fairShare, maxConnections, maxIncompleteRequests, maxPipelinedRequests } from "./limits.ts";

/** The events of a server of Node that the limiter follows. */
export interface LimitedServer {
  on(event: "connection", listener: (socket: Socket) => void): unknown;
  prependListener(event: "request", listener: (request: IncomingMessage, response: ServerResponse) => void): unknown;
}

/** Options of a {@link ConnectionLimiter}. */
export interface ConnectionLimits {
  /** Connections at a time. @defaultValue 512 */
  connections?: number;
  /** Requests in progress whose body isn't complete. @defaultValue 1024 */
  incompleteRequests?: number;
}

/** Milliseconds in which a genuine caller gets from its connection to its request, also while this process is busy. */
const youth = 1000;

interface Connection {
  socket: Socket;
  address: string;
  /** Time of the last progress: when it was opened, or a request began or ended. */
  since: number;
  /** Whether a request was answered on it. */
  hasServed: boolean;
  /** Requests in progress, and the response to each. */
  requests: Map<IncomingMessage, ServerResponse>;
}

/**
 * Limits the connections of a server. A server that refuses new connections when it is full is unavailable as soon as somebody opens
 * enough of them. This one closes another connection instead, by this order:
 *
 * 1. connections of the peer address that has most of them, if it has more than its share;
 * 2. connections that made no progress for a second;
 * 3. connections on which nothing was received, then those on which no request was completed;
 * 4. among these, the connection that made no progress for the longest time.
 *
 * A connection is never closed while a complete request on it is being answered.
 */
export class ConnectionLimiter {
  readonly #limits: Required<ConnectionLimits>;
  /** By peer address and port; the one that made no progress for the longest time comes first. */
  readonly #connections = new Map<string, Connection>();
  #requests = 0;

  /**
   * @param server - the server to limit, before it listens
   * @param limits - the number of connections and requests
   */
  constructor(server: LimitedServer, limits: ConnectionLimits = {}) {
    this.#limits = { connections: maxConnections, incompleteRequests: maxIncompleteRequests, ...limits };
    server.on("connection", (socket) => this.#add(socket));
    server.prependListener("request", (request, response) => this.#follow(request, response));
  }

  /** The number of open connections. */
  get size(): number {
    return this.#connections.size;
  }

  #add(socket: Socket): void {
    const key = peerOf(socket);
    this.#connections.set(key, {
      socket,
      address: socket.remoteAddress ?? "",
      since: performance.now(),
      hasServed: false,
      requests: new Map(),
    });
    socket.once("close", () => this.#connections.delete(key));
    if (this.#connections.size <= this.#limits.connections) return;
    // The new one goes only if all others are being answered.
    (this.#leastUseful(socket)?.socket ?? socket).destroy();
  }

  #follow(request: IncomingMessage, response: ServerResponse): void {
    const key = peerOf(request.socket);
    const connection = this.#connections.get(key);
    if (!connection) return;
    this.#touch(key, connection);
    connection.requests.set(request, response);
    this.#requests++;
    response.once("close", () => {
      this.#requests--;
      connection.requests.delete(request);
      connection.hasServed = true;
      if (this.#connections.has(key)) this.#touch(key, connection);
    });
    if (request.httpVersionMajor === 1 && connection.requests.size > maxPipelinedRequests) connection.socket.destroy();
    else if (this.#requests > this.#limits.incompleteRequests) this.#closeLargest();
  }

  /** Moves a connection behind all others. */
  #touch(key: string, connection: Connection): void {
    connection.since = performance.now();
    this.#connections.delete(key);
    this.#connections.set(key, connection);
  }

  #closeLargest(): void {
    let largest: Connection | undefined;
    for (const connection of this.#connections.values()) {
      if (connection.requests.size > (largest?.requests.size ?? 0) && !isAnswering(connection)) largest = connection;
    }
    largest?.socket.destroy();
  }

  #leastUseful(newest: Socket): Connection | undefined {
    const counts = new Map<string, number>();
    for (const { address } of this.#connections.values()) counts.set(address, (counts.get(address) ?? 0) + 1);
    const now = performance.now();
    let victim: Connection | undefined;
    let victimRank = Number.POSITIVE_INFINITY;
    for (const connection of this.#connections.values()) {
      const { address, since, socket } = connection;
      const count = counts.get(address) ?? 0;
      // One connection above the share outweighs all else.
      const excess = count > fairShare ? steps * count : 0;
      const rank = progressOf(connection) + (now - since < youth ? youngSteps : 0) - excess;
      if (rank >= victimRank || socket === newest || isAnswering(connection)) continue;
      victim = connection;
      victimRank = rank;
    }
    return victim;
  }
}

/** The values of {@link progressOf}; young connections come after all others. */
const youngSteps = 3;
const steps: number = 2 * youngSteps;

/** 0: nothing received; 1: no request was answered; 2: a request was answered. */
function progressOf({ socket, hasServed }: Connection): number {
  if (hasServed) return 2;
  return socket.bytesRead > 0 ? 1 : 0;
}

/** Whether a complete request waits for its answer. An answer that is only waiting for its reader doesn't count. */
function isAnswering({ requests }: Connection): boolean {
  for (const [request, response] of requests) if (isComplete(request) && !response.writableEnded) return true;
  return false;
}

function isComplete(request: IncomingMessage): boolean {
  // HTTP/2's request is complete only when its body was read.
  return request.complete || (request as { stream?: { endAfterHeaders?: boolean } }).stream?.endAfterHeaders === true;
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
