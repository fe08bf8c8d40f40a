// The order of the events of deletions, on a server with a socket.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../json/json.ts";
import { type ApiServer, startApiServer } from "../server.ts";

const pods = "/api/v1/namespaces/default/pods";
const headers = { "content-type": "application/json" };
let server: ApiServer;

async function send(method: string, url: string, body?: JsonObject) {
  return server.handle({ method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

function createPod(name: string) {
  const spec = { containers: [{ name: "a", image: "a" }] };
  return send("POST", pods, { apiVersion: "v1", kind: "Pod", metadata: { name }, spec });
}

/** Watches a Pod. Returns a function that reads the types of the events that come together. */
async function watchPod(name: string): Promise<() => Promise<string[]>> {
  const { stream } = await send("GET", `${pods}?watch=true&fieldSelector=metadata.name%3D${name}`);
  if (stream === undefined) throw new Error("no stream");
  const chunks = stream[Symbol.asyncIterator]();
  return async () => {
    const { value } = await chunks.next();
    const lines = String(value).trim().split("\n");
    return lines.map((line) => (JSON.parse(line) as { type: string }).type);
  };
}

beforeAll(async () => {
  server = await startApiServer({ tls: false, authorization: "always-allow" });
});
afterAll(() => server.stop());

it("sends the mark of a Pod that has no grace period before its deletion", async () => {
  await createPod("a");
  const next = await watchPod("a");
  expect(await next()).toEqual(["ADDED"]);
  const deletion = send("DELETE", `${pods}/a`);
  expect(await next()).toEqual(["MODIFIED"]);
  let isSent = false;
  setImmediate(() => {
    isSent = true;
  });
  expect(await next()).toEqual(["DELETED"]);
  expect(isSent).toBe(true);
  expect((await deletion).status).toBe(200);
});

it("deletes a Pod once for two requests at the same time", async () => {
  await createPod("b");
  const next = await watchPod("b");
  expect(await next()).toEqual(["ADDED"]);
  const answers = await Promise.all([send("DELETE", `${pods}/b`), send("DELETE", `${pods}/b`)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const events = await next();
  while (!events.includes("DELETED")) events.push(...(await next()));
  expect(events).toEqual(["MODIFIED", "DELETED"]);
});
