import { type IncomingMessage, type RequestListener, Server, type ServerResponse } from "node:http";
import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { ConnectionQueue } from "./connection-queue.ts";
import {
  fairStreams,
  maxCancelledRequests,
  maxConnections,
  maxHeadTime,
  maxPipelinedRequests,
  maxStreams,
} from "./limits.ts";
import { parseOneHeadAtATime } from "./one-head.ts";
import { isRefusal } from "./refusal.ts";

/** The part of a Node.js server that the limiter uses. */
export interface LimitedServer {
  on(event: "connection", listener: (socket: Socket) => void): unknown;
  on(event: "secureConnection", listener: (socket: TLSSocket) => void): unknown;
  on(event: "session", listener: (session: ServerHttp2Session) => void): unknown;
  listeners(event: "connection"): unknown[];
  removeAllListeners(event: "connection"): unknown;
}

/** Share of all connections that one peer address may hold before its connections are closed first. */
const fairShare = 1 / 8;
/** Time in milliseconds in which a legitimate client sends its request after connecting, even while this process is busy. */
const youth = 1000;

/** A request as both protocols have it: only those of HTTP/2 have a stream. */
interface Http2Request {
  stream?: ServerHttp2Stream;
}

interface Connection {
  socket: Socket;
  /** The session of HTTP/2. Node.js frees it only if the session itself is destroyed. */
  session?: ServerHttp2Session;
  address: string;
  /** Time of the last progress: when it was opened, or a request began or ended. */
  since: number;
  /** Whether a request was answered on it. */
  hasServed: boolean;
  /** Requests that the client cancelled, minus those that were answered. */
  cancelled: number;
  /** Runs while the head of an HTTP/1.1 request is incomplete. */
  headTimer?: NodeJS.Timeout;
  /** Requests in progress, and the response to each. */
  requests: Map<IncomingMessage, ServerResponse>;
}

/**
 * Limits the connections of a server. If a full server refused new connections, a client could make it unavailable by
 * opening enough of them. Therefore, this one closes another connection, in this order:
 *
 * 1. connections of the peer address that has most of them, if it exceeds its share; 2. connections that made no
 * progress for a second; 3. connections on which nothing was received, then those on which no request was completed; 4.
 * among these, the connection that made no progress for the longest time.
 *
 * A connection isn't closed while a complete request on it is in progress. A {@link ConnectionQueue} decides in which
 * order new connections are accepted.
 */
export class ConnectionLimiter {
  readonly #max: number;
  /** Connections, keyed by peer address and port. The connection without progress for the longest time is first. */
  readonly #connections = new Map<string, Connection>();
  readonly #queue = new ConnectionQueue();
  /** Requests in progress on all connections. */
  #requests = 0;

  /** @param max - maximum number of connections */
  constructor(max: number = maxConnections) {
    this.#max = max;
  }

  /** The number of open connections. */
  get size(): number {
    return this.#connections.size;
  }

  /**
   * Tracks the connections of a server.
   *
   * @param server - the server, before it listens and before other listeners for its connections are added. Its request
   * listener must come from {@link listener}.
   */
  watch(server: LimitedServer): void {
    const accept = server.listeners("connection") as ((socket: Socket) => void)[];
    server.removeAllListeners("connection");
    // Waiting connections aren't read, so their data stays in the buffers of the system or the sender.
    Object.assign(server, { pauseOnConnect: true });
    server.on("connection", (socket) => {
      this.#add(socket);
      this.#queue.enter(socket, () => {
        for (const listener of accept) listener.call(server, socket);
        if (server instanceof Server) this.#followHeads(socket);
        socket.resume();
      });
    });
    server.on("secureConnection", (socket) => {
      if (socket.alpnProtocol === "h2") return;
      this.#followHeads(socket);
      // The connection starts paused, like the underlying one.
      socket.resume();
    });
    server.on("session", (session) => {
      const connection = this.#connections.get(peerOf(session.socket));
      if (connection) connection.session = session;
    });
  }

  /**
   * Tracks requests and refuses excess ones. Pipelined requests of HTTP/1.1 are handled only after the previous response, so
   * that a client that reads no responses gets no more of them.
   *
   * @param listener - receives all other requests
   * @returns the listener for the server
   */
  listener(listener: RequestListener): RequestListener {
    return (request, response) => {
      const previous = this.#lastResponse(request);
      if (!this.#follow(request, response)) return;
      if (!previous) return listener(request, response);
      previous.once("close", () => {
        if (!request.socket.destroyed) listener(request, response);
      });
    };
  }

  /** Returns the response that is still pending for an earlier request on the same HTTP/1.1 connection. */
  #lastResponse({ httpVersionMajor, socket }: IncomingMessage): ServerResponse | undefined {
    if (httpVersionMajor !== 1) return undefined;
    return [...(this.#connections.get(peerOf(socket))?.requests.values() ?? [])].at(-1);
  }

  #add(socket: Socket): void {
    const key = peerOf(socket);
    const connection: Connection = {
      socket,
      address: socket.remoteAddress ?? "",
      since: performance.now(),
      hasServed: false,
      cancelled: 0,
      requests: new Map(),
    };
    this.#connections.set(key, connection);
    socket.once("close", () => this.#connections.delete(key));
    if (this.#connections.size <= this.#max) return;
    // The new connection is closed only if all others have a request in progress.
    end(this.#leastUseful(socket) ?? connection);
  }

  #followHeads(socket: Socket): void {
    const connection = this.#connections.get(peerOf(socket));
    parseOneHeadAtATime(socket, () => {
      if (!connection || connection.requests.size > 0) return;
      // Timers run before sockets: data that arrived while the process was busy is read before the connection is
      // closed.
      connection.headTimer ??= setTimeout(() => setImmediate(() => endLateHead(connection, socket)), maxHeadTime);
    });
    socket.once("close", () => clearTimeout(connection?.headTimer));
  }

  #follow(request: IncomingMessage, response: ServerResponse): boolean {
    const key = peerOf(request.socket);
    const connection = this.#connections.get(key);
    // The connection was opened before the limiter was added.
    if (!connection) return true;
    // Pipelined requests are parsed even after the connection was closed.
    if (isEnded(connection) || this.#refuses(request, connection)) return false;
    clearTimeout(connection.headTimer);
    connection.headTimer = undefined;
    this.#touch(key, connection);
    connection.requests.set(request, response);
    this.#requests++;
    response.once("close", () => {
      this.#requests--;
      connection.requests.delete(request);
      connection.hasServed ||= response.headersSent;
      if (isServed(request, response)) this.#queue.earn(connection.address);
      connection.cancelled = Math.max(0, connection.cancelled + (response.writableEnded ? -1 : 1));
      if (connection.cancelled > maxCancelledRequests) end(connection);
      if (this.#connections.has(key)) this.#touch(key, connection);
    });
    return true;
  }

  /** Refuses an excess request. Returns whether it did. */
  #refuses(request: IncomingMessage, connection: Connection): boolean {
    const { requests } = connection;
    const { stream } = request as Http2Request;
    if (!stream && requests.size >= maxPipelinedRequests) {
      end(connection);
      return true;
    }
    if (!stream || this.#requests < maxStreams || requests.size < fairStreams) return false;
    // The client may retry.
    stream.close(process.getBuiltinModule("node:http2").constants.NGHTTP2_REFUSED_STREAM);
    return true;
  }

  /** Moves a connection to the end of the order. */
  #touch(key: string, connection: Connection): void {
    connection.since = performance.now();
    this.#connections.delete(key);
    this.#connections.set(key, connection);
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
      // One connection above the share outweighs everything else.
      const excess = count > fairShare * this.#max ? steps * count : 0;
      const rank = progressOf(connection) + (now - since < youth ? youngSteps : 0) - excess;
      if (rank >= victimRank || socket === newest || isAnswering(connection)) continue;
      victim = connection;
      victimRank = rank;
    }
    return victim;
  }
}

/** Number of values of {@link progressOf}. Young connections rank after all others. */
const youngSteps = 3;
const steps: number = 2 * youngSteps;

function endLateHead({ headTimer }: Connection, socket: Socket): void {
  if (!headTimer || socket.destroyed) return;
  socket.end("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n", () => socket.destroy());
}

function isEnded({ session, socket }: Connection): boolean {
  return session?.destroyed ?? socket.destroyed;
}

function end({ session, socket }: Connection): void {
  if (session) session.destroy();
  else socket.destroy();
}

/** Returns 0 if nothing was received, 1 if no request was answered, and 2 if a request was answered. */
function progressOf({ socket, hasServed }: Connection): number {
  if (hasServed) return 2;
  return socket.bytesRead > 0 ? 1 : 0;
}

/** Checks whether a complete request is in progress. A response that only waits for its reader doesn't count. */
function isAnswering({ requests }: Connection): boolean {
  for (const [request, response] of requests) if (isComplete(request) && !response.writableEnded) return true;
  return false;
}

/** Checks whether a request was received and answered, not refused. */
function isServed(request: IncomingMessage, response: ServerResponse): boolean {
  // The response to a cancelled request of HTTP/2 has the status 200, although it was never sent.
  const isSent = response.headersSent && response.writableFinished && !(request as Http2Request).stream?.rstCode;
  return isSent && response.statusCode < 400 && request.complete && !isRefusal(response);
}

function isComplete(request: IncomingMessage): boolean {
  // HTTP/2 requests are complete only when their body was read.
  return request.complete || (request as Http2Request).stream?.endAfterHeaders === true;
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
