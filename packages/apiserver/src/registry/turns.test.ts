import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const count = 1500;
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  const headers = { "content-type": "application/json" };
  const data = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key-${index}`, "value ".repeat(10)]));
  for (let index = 0; index < count; index++) {
    const body = JSON.stringify({ metadata: { name: `map-${index}`, labels: { app: "a" } }, data });
    await server.handle({ method: "POST", url: maps, headers, body });
  }
});
afterAll(() => server.stop());

/** Returns how many turns of the event loop others had meanwhile. */
async function turnsOfOthers(request: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    if (isOver) return;
    turns++;
    setImmediate(others);
  };
  setImmediate(others);
  await request();
  isOver = true;
  return turns;
}

async function list(query: string, accept = "application/json"): Promise<void> {
  const { body } = await server.handle({ method: "GET", url: `${maps}?${query}`, headers: { accept } });
  expect(JSON.parse(String(body)).items).toHaveLength(count);
}

async function initialEvents(query: string): Promise<void> {
  const url = `${maps}?watch=true&${query}`;
  const { stream } = await server.handle({ method: "GET", url, headers: {} });
  let events = 0;
  for await (const chunk of stream ?? []) {
    events += String(chunk).split("\n").length - 1;
    if (events === count) return;
  }
}

const partial = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
it.each([
  ["a list with a selector", () => list("labelSelector=app%3Da")],
  ["a list of metadata", () => list("", partial)],
  ["the initial events of a watch with a selector", () => initialEvents("labelSelector=app%3Da")],
])("%s lets other requests go on while it reads many objects", async (_, request) => {
  expect(await turnsOfOthers(request)).toBeGreaterThan(2);
});

it("sends each initial event once, in order, beside changes", async () => {
  const { stream } = await server.handle({
    method: "GET",
    url: `${maps}?watch=true&labelSelector=app%3Da`,
    headers: {},
  });
  const names: string[] = [];
  let isChanged = false;
  const change = async (): Promise<void> => {
    isChanged = true;
    await server.handle({ method: "DELETE", url: `${maps}/map-999`, headers: {} });
  };
  for await (const chunk of stream ?? []) {
    for (const line of String(chunk).trim().split("\n")) {
      const { type, object } = JSON.parse(line);
      names.push(type === "ADDED" ? object.metadata.name : `${type} ${object.metadata.name}`);
    }
    if (!isChanged) await change();
    if (names.length > count) break;
  }
  const all = Array.from({ length: count }, (_, index) => `map-${index}`).sort();
  expect(names).toEqual([...all, "DELETED map-999"]);
});
