import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { type RequestOptions, request } from "node:https";
import { connect, type TLSSocket } from "node:tls";
import type { AdmissionRequest } from "../api/admission/v1.ts";
import type { CertificatePair } from "../certs/certificate-pair.ts";
import { selfSignedCertificate } from "../certs/self-signed.ts";
import type { Logger } from "../log/logger.ts";
import { silentLogger } from "../log/logger.ts";
import { noWebhookMetrics, type WebhookMetrics } from "./http/metrics.ts";
import type { WebhookServerOptions } from "./options/server.ts";
import { WebhookServer } from "./server.ts";

export interface TestServer {
  server: WebhookServer;
  port: number;
  /** Stops the server. Resolves after all responses, or rejects with the error that ended the server. */
  stop(): Promise<void>;
}

let shared: Promise<CertificatePair> | undefined;

/** Returns one certificate for all tests of a file, because its creation takes a while. */
export function testCertificate(): Promise<CertificatePair> {
  shared ??= selfSignedCertificate(["localhost", "127.0.0.1"]);
  return shared;
}

export async function startServer(
  register: (server: WebhookServer) => void,
  options: WebhookServerOptions = {},
  parts: { log?: Logger; metrics?: WebhookMetrics } = {},
): Promise<TestServer> {
  const server = WebhookServer.create({
    options: { host: "127.0.0.1", port: 0, certificates: { watch: testCertificate }, ...options },
    log: parts.log ?? silentLogger,
    metrics: parts.metrics ?? noWebhookMetrics,
    onUsed: () => {},
  });
  register(server);
  const stop = new AbortController();
  const done = server.start(stop.signal);
  done.catch(() => {});
  await Promise.race([server.ready(), done]);
  return {
    server,
    port: server.port ?? 0,
    stop: () => {
      stop.abort();
      return done;
    },
  };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a request with the given options, and returns the response. */
export function send(port: number, options: RequestOptions, body?: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method: "POST", rejectUnauthorized: false, agent: false, ...options },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

export interface ReviewAnswer {
  apiVersion?: string;
  kind?: string;
  response: {
    uid: string;
    allowed: boolean;
    status: { code: number; reason?: string; message?: string; details?: unknown };
    patch?: string;
    patchType?: string;
    warnings?: string[];
    auditAnnotations?: Record<string, string>;
  };
}

export const json = { "Content-Type": "application/json" };

/** Sends an AdmissionReview like an API server. */
export async function review(
  port: number,
  path: string,
  asked: Partial<AdmissionRequest> & Record<string, unknown>,
  apiVersion = "admission.k8s.io/v1",
): Promise<ReviewAnswer> {
  const body = JSON.stringify({ apiVersion, kind: "AdmissionReview", request: { uid: "u-1", ...asked } });
  const answer = await send(port, { path: `${path}?timeout=10s`, headers: json }, body);
  if (answer.status !== 200) throw new Error(`HTTP status ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text) as ReviewAnswer;
}

/** Returns the patch operations of a response. */
export function patchOf({ response }: ReviewAnswer): unknown {
  return response.patch === undefined ? undefined : JSON.parse(Buffer.from(response.patch, "base64").toString("utf8"));
}

/** Opens a TLS connection. */
export function handshake(port: number, options: object = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options }, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Returns the response on a connection, or `closed` if the server closes it. */
export async function ask(socket: TLSSocket): Promise<string> {
  if (socket.closed) return "closed";
  const body = '{"request":{"uid":"u"}}';
  const head = ["POST /x HTTP/1.1", "Host: x", "Content-Type: application/json", `Content-Length: ${body.length}`];
  const answer = once(socket, "data");
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  return String(await Promise.race([answer, once(socket, "close").then(() => "closed")]));
}
