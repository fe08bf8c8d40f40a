import { expect, it, onTestFinished } from "vitest";
import { type ApiServer, startApiServer } from "./server.ts";

const namespaces = "/api/v1/namespaces";
const maps = `${namespaces}/default/configmaps`;

async function send(server: ApiServer, method: string, url: string, body?: object) {
  const headers = { "content-type": "application/json" };
  const answer = await server.handle({ method, url, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return JSON.parse(String(answer.body));
}

const map = (name: string, owner?: { uid: string }) => ({
  metadata: {
    name,
    ...(owner ? { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.uid }] } : {}),
  },
});

async function start(): Promise<ApiServer> {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  onTestFinished(() => server.stop());
  return server;
}

/** Timers that fire when the test advances the time. */
function manualClock() {
  const timers: (() => void)[] = [];
  return {
    clock: {
      now: () => 0,
      date: () => new Date(0),
      setTimeout: (call: () => void) => timers.push(call),
      clearTimeout: () => {},
    },
    async fire() {
      for (const call of timers.splice(0)) call();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it("a restart returns to the given revision, with another clock and other random numbers", async () => {
  const server = await start();
  const { revision } = server;
  await send(server, "POST", maps, map("before"));
  await server.restart(revision, { clock: manualClock().clock, random: () => 0 });
  expect(server.revision).toBe(revision);
  const { metadata } = await send(server, "POST", maps, map("after"));
  expect(metadata).toMatchObject({
    uid: "00000000-0000-4000-8000-000000000000",
    creationTimestamp: "1970-01-01T00:00:00Z",
    resourceVersion: String(revision + 1),
  });
  expect((await send(server, "GET", maps)).items).toHaveLength(1);
});

it("after a restart, earlier timers don't fire, and the garbage collector works", async () => {
  const first = manualClock();
  const server = await startApiServer({ http: false, authorization: "always-allow", clock: first.clock });
  onTestFinished(() => server.stop());
  const { revision } = server;
  await send(server, "POST", maps, map("orphan", { uid: "gone" }));
  const second = manualClock();
  await server.restart(revision, { clock: second.clock });
  await send(server, "POST", maps, map("orphan", { uid: "gone" }));
  await first.fire();
  expect((await send(server, "GET", maps)).items).toHaveLength(1);
  await second.fire();
  expect((await send(server, "GET", maps)).items).toEqual([]);
});

it("a restart ends watches", async () => {
  const server = await start();
  const { revision } = server;
  const { stream } = await server.handle({ method: "GET", url: `${maps}?watch=true`, headers: {} });
  const lines: string[] = [];
  const read = (async () => {
    for await (const line of stream ?? []) lines.push(String(line));
  })();
  await new Promise((resolve) => setImmediate(resolve));
  await server.restart(revision);
  await read;
  expect(lines.at(-1)).toContain('"code":410');
});

it("without managed fields, objects have none, even after an apply", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow", managedFields: false });
  onTestFinished(() => server.stop());
  expect((await send(server, "POST", maps, map("a"))).metadata.managedFields).toBeUndefined();
  const { body } = await server.handle({
    method: "PATCH",
    url: `${maps}/a?fieldManager=test`,
    headers: { "content-type": "application/apply-patch+yaml" },
    body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { x: "1" } }),
  });
  const applied = JSON.parse(String(body));
  expect(applied.data).toEqual({ x: "1" });
  expect(applied.metadata.managedFields).toBeUndefined();
});
