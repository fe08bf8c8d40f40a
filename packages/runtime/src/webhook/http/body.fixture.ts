// A webhook on a plain server, and functions that send requests to it.
import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { silentLogger } from "../../log/logger.ts";
import { admissionListener } from "../admission/hook.ts";
import type { allowed } from "../admission/response.ts";
import { json } from "../server.fixture.ts";
import type { BodyLimits } from "./body.ts";
import type { HookHost } from "./hook-host.ts";
import { bodyMemory } from "./memory-limiter.ts";
import { noWebhookMetrics } from "./metrics.ts";

export const kibi = 1024;
export const host: HookHost = { log: silentLogger, metrics: noWebhookMetrics, memory: bodyMemory(), fail() {} };
const servers: Server[] = [];

/** Closes the servers of a test. */
export function closeServers(): void {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
}

export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return (server.address() as { port: number }).port;
}

export const webhook = (
  handle: () => Promise<ReturnType<typeof allowed>>,
  limits: Partial<BodyLimits>,
): Promise<number> => serve(admissionListener({ handler: { handle }, limits }, host));

export const reviewOf = (bytes: number): string => {
  const text = (filler: string) =>
    JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: { uid: "u", filler } });
  return text("x".repeat(bytes - text("").length));
};

export function post(port: number, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", method: "POST", headers: json, agent: false }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Starts a request, and returns its connection. */
export function begin(port: number, header: string, part = ""): Socket {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}\r\n\r\n${part}`);
  return socket;
}
