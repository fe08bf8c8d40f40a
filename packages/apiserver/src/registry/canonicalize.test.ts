import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false });
});
afterAll(() => server.stop());

const maps = "/api/v1/namespaces/default/configmaps";

async function send(method: string, url: string, body: object): Promise<{ metadata: Record<string, unknown> }> {
  const answer = await server.handle({ method, url, headers: {}, body: JSON.stringify(body) });
  expect(answer.status, String(answer.body)).toBeLessThan(300);
  return JSON.parse(String(answer.body));
}

it("metadata that a client sends in another order stay in the order of the server", async () => {
  const metadata = { name: "a", labels: { b: "2", a: "1" }, annotations: { d: "4", c: "3" } };
  const first = await send("POST", maps, { metadata, data: { a: "1" } });
  const { name, labels, annotations, ...others } = first.metadata;
  const changed = { annotations: { d: "4", c: "3" }, labels: { b: "2", a: "1" }, ...others, name };
  const second = await send("PUT", `${maps}/a`, { metadata: changed, data: { a: "2" } });
  expect(Object.keys(second.metadata)).toEqual(Object.keys(first.metadata));
  expect(JSON.stringify([second.metadata.labels, second.metadata.annotations])).toBe(
    JSON.stringify([
      { a: "1", b: "2" },
      { c: "3", d: "4" },
    ]),
  );
});
