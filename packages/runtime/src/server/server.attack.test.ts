import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { maxConnections } from "../http/limits.ts";
import { silentLogger } from "../log/logger.ts";
import { allowed } from "../webhook/admission/response.ts";
import { standaloneWebhook } from "../webhook/admission/standalone.ts";
import { json } from "../webhook/server.fixture.ts";
import { Server } from "./server.ts";

it("a webhook on an added server responds while a client opens more connections than allowed", async ({ task }) => {
  const webhook = standaloneWebhook({ handle: () => allowed() }, { logger: silentLogger });
  const server = new Server({ server: webhook, bindAddress: "127.0.0.1:0" });
  const stop = new AbortController();
  await server.bind();
  const done = server.start(stop.signal);
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    stop.abort();
    await done;
  });
  const attempts = maxConnections + 200;
  Object.assign(task.meta, { attempts });
  let closed = 0;
  for (let count = 0; count < attempts; count++) {
    const socket = connect({ port: server.port!, host: "127.0.0.1", localAddress: "127.0.0.66" });
    socket.on("error", () => {}).once("close", () => closed++);
    sockets.push(socket);
    await once(socket, "connect");
  }
  const body = JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: { uid: "u" } });
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, { method: "POST", headers: json, body });
  expect(await answer.json()).toMatchObject({ response: { uid: "u", allowed: true } });
  await expect.poll(() => closed).toBeGreaterThanOrEqual(200);
});
