import { expect, it } from "vitest";
import { startApiServer } from "../server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

it("ends with 410 when the server returns to a past state", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  const headers = { "content-type": "application/json" };
  const create = (name: string) =>
    server.handle({ method: "POST", url: maps, headers, body: JSON.stringify({ metadata: { name } }) });
  const past = server.revision;
  await create("a");
  await create("b");
  const url = `${maps}?watch=true&resourceVersion=${server.revision}`;
  const { stream } = await server.handle({ method: "GET", url, headers: {} });
  const events: string[] = [];
  const ended = (async () => {
    for await (const text of stream ?? []) events.push(String(text));
  })();
  await new Promise((resolve) => setImmediate(resolve));
  // The watch has seen later revisions than this one, and must not wait until they come again.
  server.restore(past);
  await create("c");
  await ended;
  expect(events.map((text) => JSON.parse(text))).toMatchObject([
    { type: "ERROR", object: { code: 410, reason: "Expired" } },
  ]);
  await server.stop();
});
