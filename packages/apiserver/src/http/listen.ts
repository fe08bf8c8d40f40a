import { randomUUID } from "node:crypto";
import { createServer as createPlainServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createSecureServer, type Http2SecureServer, type Http2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { encodeJson } from "@kubewright/cel/json";
import type { Answer, ApiRequest, StreamSink, UserInfo } from "../model/request.ts";
import { StatusError } from "../model/status.ts";
import { acceptsGzip, compressed } from "./compression.ts";
import { answerConnect, answerRefused, refuseHead, respondOn } from "./refused-requests.ts";
import { dropRest, RequestBodies } from "./request-body.ts";
import { ignoreUpgrade, serveWebSocket, wantsWebSocket } from "./upgrade.ts";

/** The limit of Go's servers for the head of a request, in bytes: selectors in URLs can be long. */
const maxHeadBytes = 2 ** 20 + 4096;

/** The options of a listener. */
export interface ListenOptions {
  host: string;
  /** 0 for a free port. */
  port: number;
  /** Undefined for plain HTTP. */
  tls?: { cert: string; key: string; clientCA?: string };
  /** Answers requests. */
  handle: (request: ApiRequest) => Promise<Answer>;
}

/** An open port. */
export interface Listener {
  port: number;
  /** Closes the port and all connections. */
  close(): Promise<void>;
}

/** The user of a connection with a client certificate; `invalid` if the certificate isn't from a known authority. */
const users = new WeakMap<object, UserInfo | "invalid" | "none">();

/**
 * Listens for HTTP/1.1 and, with TLS, HTTP/2.
 *
 * @param options - where and how
 * @returns the listener, once the port is open
 * @throws Error if the port can't be opened
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const sockets = new Set<Socket>();
  const sessions = new Set<Http2Session>();
  const bodies = new RequestBodies();
  /** The last response of a connection. */
  const responses = new WeakMap<Duplex, ServerResponse>();
  const respond = (request: IncomingMessage, response: ServerResponse, webSocket?: Buffer): void => {
    responses.set(request.socket, response);
    void serve(options, bodies, request, response, webSocket);
  };
  const server = options.tls
    ? secureServer(options.tls, respond)
    : createPlainServer({ maxHeaderSize: maxHeadBytes, requireHostHeader: false }, (...pair) => respond(...pair));
  server.on("clientError", (error: Error, socket: Duplex) => {
    const earlier = responses.get(socket);
    const answer = (): void => answerRefused(error, socket, respond);
    // Clients can send the next request before they have the response to the last one. Otherwise, its body is malformed.
    const isWaiting = earlier?.req.complete === true && !earlier.writableFinished && !earlier.destroyed;
    if (isWaiting) earlier.once("close", answer);
    else answer();
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, { connection: "close", "content-length": 0 }).end();
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex) => answerConnect(request, socket, respond));
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => {});
    if (wantsWebSocket(request)) respondOn(socket, (...pair) => respond(...pair, head), request);
    else
      ignoreUpgrade(request, socket, head, (duplex) =>
        server.emit(options.tls ? "secureConnection" : "connection", duplex),
      );
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("session", (session: Http2Session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  // A client that breaks off, or speaks another protocol, must not stop the server.
  server.on("tlsClientError", () => {});
  server.on("sessionError", () => {});
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", () => {});
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.close();
        if ("closeIdleConnections" in server) server.closeIdleConnections();
        // Streams have ended by now; what still hangs doesn't delay the end.
        setTimeout(() => {
          for (const session of sessions) session.destroy();
          for (const socket of sockets) socket.destroy();
        }, 200).unref();
      }),
  };
}

function secureServer(
  { cert, key, clientCA }: NonNullable<ListenOptions["tls"]>,
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Server | Http2SecureServer {
  const server = createSecureServer({
    cert,
    key,
    ...(clientCA === undefined ? {} : { ca: clientCA, requestCert: true }),
    rejectUnauthorized: false,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: 1000, maxHeaderListSize: maxHeadBytes },
  });
  // The option for HTTP/1.1 isn't among those of the constructor.
  Object.assign(server, { maxHeaderSize: maxHeadBytes });
  // The requests of both versions have the same methods.
  server.on("request", ((request: IncomingMessage, response: ServerResponse) => respond(request, response)) as never);
  return server;
}

/** Reads the user of a client certificate, once per connection. */
function userOf(socket: TLSSocket): UserInfo | "invalid" | "none" {
  const cached = users.get(socket);
  if (cached !== undefined) return cached;
  let user: UserInfo | "invalid" | "none" = "none";
  if (typeof socket.getPeerCertificate === "function") {
    const { subject } = socket.getPeerCertificate();
    if (subject !== undefined) {
      const groups = subject.O as string | string[] | undefined;
      user = socket.authorized
        ? { name: String(subject.CN ?? ""), groups: groups === undefined ? [] : [groups].flat() }
        : "invalid";
    }
  }
  users.set(socket, user);
  return user;
}

/** Answers a request. `webSocket` contains what has arrived after one that asks for a WebSocket. */
async function serve(
  options: ListenOptions,
  bodies: RequestBodies,
  request: IncomingMessage,
  response: ServerResponse,
  webSocket?: Buffer,
): Promise<void> {
  const gone = new AbortController();
  // Aborting creates an error with a stack, which costs 0.05 ms: not after answers that were sent.
  response.once("close", () => response.writableFinished || gone.abort());
  response.on("error", () => {});
  request.on("error", () => {});
  if (request instanceof IncomingMessage) {
    if (refuseHead(request)) return;
    if (request.url === "*" && request.method === "OPTIONS") {
      response.writeHead(200, { "content-length": 0 }).end();
      return;
    }
  }
  try {
    const user = userOf(request.socket as TLSSocket);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const answer =
      user === "invalid"
        ? unauthorized()
        : await options.handle({
            method: request.method ?? "GET",
            url: pathOf(request.url ?? "/"),
            headers: request.headers,
            ...(isRead ? {} : { readBody: () => bodies.read(request, response) }),
            ...(user === "none" ? {} : { user }),
            signal: gone.signal,
          });
    if (webSocket !== undefined && answer.stream !== undefined) {
      response.detachSocket(request.socket);
      request.socket.once("close", () => gone.abort());
      serveWebSocket(request, answer, webSocket, () => gone.abort());
    } else write(request, response, acceptsGzip(request) ? await compressed(answer) : answer);
  } catch (error) {
    const status =
      error instanceof StatusError ? error : new StatusError(500, "InternalError", (error as Error).message);
    write(request, response, {
      status: status.code,
      headers: { "content-type": "application/json" },
      body: `${encodeJson(status.status())}\n`,
    });
  }
}

/** Returns path and query of a target, which clients of proxies send as a whole URL, and CONNECT as host and port. */
function pathOf(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^(?:https?:\/\/)?[^/?*]*/, "");
}

function unauthorized(): Answer {
  const error = new StatusError(401, "Unauthorized", "Unauthorized");
  const headers = { "content-type": "application/json" };
  return { status: 401, headers, body: `${encodeJson(error.status())}\n` };
}

function write(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.headersSent) return;
  // The body of a request that is refused early is still unread.
  const isRead = request.method === "GET" || request.method === "HEAD" || request.readableFlowing !== null;
  if (!isRead) dropRest(request);
  const headers: Record<string, string | string[] | number> = { "audit-id": auditId(request), ...answer.headers };
  if (answer.stream !== undefined) {
    response.writeHead(answer.status, headers);
    response.flushHeaders();
    answer.stream.pipe(sink(response));
    return;
  }
  // Node.js writes head and body of HTTP/1.1 at once if both are texts, and then encodes the bytes of warnings again.
  const text = answer.body ?? "";
  const body = headers.warning !== undefined && typeof text === "string" ? Buffer.from(text) : text;
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  if (answer.status !== 304) headers["content-length"] = length;
  response.writeHead(answer.status, headers);
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Returns the identifier of a request in audit logs: clients may choose it. */
function auditId({ headers }: IncomingMessage): string {
  const given = headers["audit-id"];
  return typeof given === "string" && /^[ -~]+$/.test(given) ? given : randomUUID();
}

function sink(response: ServerResponse): StreamSink {
  return {
    write: (chunk) => response.destroyed || response.write(chunk),
    onDrain: (resume) => {
      const done = (): void => {
        response.off("drain", done);
        response.off("close", done);
        resume();
      };
      response.once("drain", done);
      response.once("close", done);
    },
    end: () => {
      response.end();
    },
  };
}
