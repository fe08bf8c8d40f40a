import { createServer, request, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fullTest } from "../../../../../../scripts/test-support/full-test.ts";
import { selfSignedCertificate } from "../../../certs/self-signed.ts";
import { createEndpointKeys, type EndpointKeys } from "./keys.ts";
import { WebhookEndpoint } from "./webhook-endpoint.ts";

let keys: EndpointKeys;
let endpoint: WebhookEndpoint;
let isDown = false;
const managers: Server[] = [];

beforeEach(async () => {
  isDown = false;
  keys = await createEndpointKeys("127.0.0.1");
  const options = { host: "127.0.0.1", port: 0, keys, reason: () => "it is being written", isDown: () => isDown };
  endpoint = await WebhookEndpoint.listen({ ...options, holdTime: 1500 });
});
afterEach(async () => {
  await endpoint.close();
  for (const server of managers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a manager that answers with its name, or ends the connection if it has none. */
async function manager(name: string | undefined) {
  const pair = await selfSignedCertificate(["127.0.0.1"]);
  let received = 0;
  const server = createServer(pair, (incoming, response) => {
    received++;
    let body = "";
    incoming.on("data", (chunk: Buffer) => {
      body += chunk;
    });
    incoming.on("end", () => (name === undefined ? incoming.socket.destroy() : response.end(`${name}: ${body}`)));
  });
  managers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { target: { port: (server.address() as AddressInfo).port, cert: pair.cert }, received: () => received };
}

const review = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request: { uid: "1", objects: [] } };

/** Sends a request as an API server does, which verifies the certificate. */
function call(path = "/convert", body = JSON.stringify(review)): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port: endpoint.port,
      path,
      method: "POST",
      ca: keys.ca,
      agent: false,
    } as const;
    const sent = request(options, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

it("lets requests wait for the first manager, and for the next one", async () => {
  const first = call("/a", "1");
  endpoint.use((await manager("one")).target);
  expect(await first).toEqual({ status: 200, text: "one: 1" });
  endpoint.hold();
  const second = call("/b", "2");
  endpoint.use((await manager("two")).target);
  expect(await second).toEqual({ status: 200, text: "two: 2" });
});

it("sends a request to the next manager if one ends before its answer", async () => {
  const killed = await manager(undefined);
  endpoint.use(killed.target);
  const answer = call("/a", "1");
  await expect.poll(killed.received).toBeGreaterThan(0);
  endpoint.use((await manager("next")).target);
  expect((await answer).text).toBe("next: 1");
});

it("doesn't send a request to every manager if each ends with it", async () => {
  const killed = await manager(undefined);
  endpoint.use(killed.target);
  expect((await call("/a", "1")).status).toBe(503);
  expect(killed.received()).toBe(3);
});

fullTest("answers a conversion with the reason if no manager comes, and an admission with the status 503", async () => {
  expect(JSON.parse((await call()).text)).toEqual({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response: {
      uid: "1",
      convertedObjects: [],
      result: { metadata: {}, status: "Failure", message: "no manager answers: it is being written" },
    },
  });
  expect(await call("/mutate?timeout=1s")).toEqual({ status: 503, text: "no manager answers: it is being written" });
});

it("answers at once if the manager serves no webhooks", async () => {
  const waiting = call();
  endpoint.refuse("the manager serves none");
  expect((await waiting).text).toContain("the manager serves none");
});

it("sends nothing to another program that uses the manager's port", async () => {
  const other = await manager("other");
  endpoint.use({ ...other.target, cert: (await selfSignedCertificate(["127.0.0.1"])).cert });
  expect((await call("/a")).status).toBe(503);
  expect(other.received()).toBe(0);
});

it("ends connections while the webhooks fail on purpose", async () => {
  endpoint.use((await manager("one")).target);
  isDown = true;
  await expect(call()).rejects.toThrow(/socket hang up|ECONNRESET/);
});

it("passes conversions on without what identifies their code", async () => {
  const paths: (string | undefined)[] = [];
  const pair = await selfSignedCertificate(["127.0.0.1"]);
  const server = createServer(pair, (incoming, response) => {
    paths.push(incoming.url);
    response.end();
  });
  managers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint.use({ port: (server.address() as AddressInfo).port, cert: pair.cert });
  for (const path of ["/convert/1234?timeout=30s", "/convert?timeout=30s", "/mutate/a?timeout=5s"]) await call(path);
  expect(paths).toEqual(["/convert?timeout=30s", "/convert?timeout=30s", "/mutate/a?timeout=5s"]);
  endpoint.refuse("no reason");
  expect(JSON.parse((await call("/convert/1234")).text)).toMatchObject({
    response: { result: { message: "no reason" } },
  });
});
