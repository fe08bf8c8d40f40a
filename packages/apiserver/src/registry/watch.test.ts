import { BinaryReader } from "@bufbuild/protobuf/wire";
import { expect, it } from "vitest";
import { decodeProtobuf } from "../builtin/codec/protobuf.ts";
import { structOfApiVersion } from "../builtin/resources.ts";
import { startApiServer } from "../server/server.ts";

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
  // The watch has sent later revisions than this one, and must not wait until the store reaches them again.
  server.restore(past);
  await create("c");
  await ended;
  expect(events.map((text) => JSON.parse(text))).toMatchObject([
    { type: "ERROR", object: { code: 410, reason: "Expired" } },
  ]);
  await server.stop();
});

/** Collects the events of ConfigMaps, and sends bookmarks only when the test requests one. */
async function watchMaps(query: string) {
  const timers = new Set<() => void>();
  const clock = {
    now: () => 0,
    date: () => new Date(0),
    setTimeout: (call: () => void, milliseconds: number) => {
      if (milliseconds === 60_000) timers.add(call);
      return call;
    },
    clearTimeout: (call: unknown) => void timers.delete(call as () => void),
  };
  const server = await startApiServer({ http: false, authorization: "always-allow", clock });
  const headers = { "content-type": "application/json" };
  const url = `${maps}?watch=true&resourceVersion=${server.revision}${query}`;
  const { stream } = await server.handle({ method: "GET", url, headers: {} });
  const names: string[] = [];
  void (async () => {
    for await (const text of stream ?? []) {
      for (const line of String(text).trim().split("\n")) {
        const { type, object } = JSON.parse(line);
        names.push(type === "ADDED" ? object.metadata.name : type);
      }
    }
  })();
  return {
    server,
    names,
    create: (name: string) =>
      server.handle({ method: "POST", url: maps, headers, body: JSON.stringify({ metadata: { name } }) }),
    sendBookmark() {
      for (const call of [...timers]) {
        timers.delete(call);
        call();
      }
    },
  };
}

/** Waits until the given number of promises are resolved one after another. */
async function promises(count: number): Promise<void> {
  for (let number = 0; number < count; number++) await Promise.resolve();
}

it("immediately sends a change that is made while the watch begins to wait", async () => {
  const { server, names, create } = await watchMaps("");
  const expected: string[] = [];
  for (let delay = 0; delay < 60; delay++) {
    const first = create(`a-${delay}`);
    await promises(delay);
    await Promise.all([first, create(`b-${delay}`)]);
    expected.push(`a-${delay}`, `b-${delay}`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(names.toSorted()).toEqual(expected.toSorted());
  }
  await server.stop();
});

it("sends changes that are made while it writes a bookmark", async () => {
  const { server, names, create, sendBookmark } = await watchMaps("&allowWatchBookmarks=true&timeoutSeconds=100000");
  const expected: string[] = [];
  for (let delay = 0; delay < 400; delay++) {
    const writes = [create(`a-${delay}`)];
    await promises(delay % 8);
    writes.push(create(`b-${delay}`));
    await promises(delay / 8);
    sendBookmark();
    await Promise.all(writes);
    expected.push(`a-${delay}`, `b-${delay}`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(names.filter((name) => name !== "BOOKMARK").toSorted()).toEqual(expected.toSorted());
  }
  expect(names).toContain("BOOKMARK");
  await server.stop();
});

it("sends length-prefixed protobuf to clients that prefer it", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { name: "a" }, data: { key: "value" } });
  await server.handle({ method: "POST", url: maps, headers, body });
  const accept = "application/vnd.kubernetes.protobuf;stream=watch,application/json";
  const url = `${maps}?watch=true&fieldSelector=metadata.name=a`;
  const answer = await server.handle({ method: "GET", url, headers: { accept } });
  expect(answer.headers["content-type"]).toBe("application/vnd.kubernetes.protobuf;stream=watch");
  let chunk: Buffer | undefined;
  for await (const first of answer.stream ?? []) {
    chunk = first as Buffer;
    break;
  }
  const bytes = chunk as Buffer;
  expect(bytes.readUInt32BE(0)).toBe(bytes.length - 4);
  const reader = new BinaryReader(bytes.subarray(4));
  reader.tag();
  expect(reader.string()).toBe("ADDED");
  reader.tag();
  const raw = new BinaryReader(reader.bytes());
  raw.tag();
  const { kind, metadata, data } = decodeProtobuf(raw.bytes(), structOfApiVersion);
  expect({ kind, metadata, data }).toMatchObject({
    kind: "ConfigMap",
    metadata: { name: "a" },
    data: { key: "value" },
  });
  await server.stop();
});

it("ends with 410 if it begins before the server did", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  const { stream } = await server.handle({ method: "GET", url: `${maps}?watch=true&resourceVersion=1`, headers: {} });
  const events: string[] = [];
  for await (const text of stream ?? []) events.push(String(text));
  expect(events.map((text) => JSON.parse(text))).toMatchObject([
    { type: "ERROR", object: { code: 410, message: `too old resource version: 1 (${server.revision})` } },
  ]);
  await server.stop();
});

it("stays open if its time limit is longer than Node.js's longest timer", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  const url = `${maps}?watch=true&timeoutSeconds=3000000&resourceVersion=${server.revision}`;
  const { stream } = await server.handle({ method: "GET", url, headers: {} });
  const reading = (async () => {
    for await (const text of stream ?? []) return JSON.parse(String(text)).type;
  })();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const headers = { "content-type": "application/json" };
  await server.handle({ method: "POST", url: maps, headers, body: JSON.stringify({ metadata: { name: "a" } }) });
  expect(await reading).toBe("ADDED");
  await server.stop();
});

it("keeps nothing of a watch whose client leaves before the watch begins", async () => {
  const timers = new Set<unknown>();
  const clock = {
    now: () => 0,
    date: () => new Date(0),
    setTimeout: (call: () => void) => {
      timers.add(call);
      return call;
    },
    clearTimeout: (call: unknown) => void timers.delete(call),
  };
  const server = await startApiServer({ http: false, authorization: "always-allow", clock });
  const before = timers.size;
  const url = `${maps}?watch=true&allowWatchBookmarks=true`;
  const { stream } = await server.handle({ method: "GET", url, headers: {}, signal: AbortSignal.abort() });
  expect(timers.size).toBe(before);
  for await (const event of stream ?? []) expect.unreachable(String(event));
  await server.stop();
});

it.each([
  ["30 s without a change", 30, "", []],
  ["30 s with one in another namespace", 30, "kube-system", ["BOOKMARK 28"]],
  ["30 s with one in its namespace", 30, "default", ["ADDED 1", "BOOKMARK 28"]],
  ["61 s without a change", 61, "", []],
  ["200 s without a change", 200, "", ["BOOKMARK 120", "BOOKMARK 180", "BOOKMARK 198"]],
  ["200 s with one", 200, "default", ["ADDED 1", "BOOKMARK 60", "BOOKMARK 120", "BOOKMARK 180", "BOOKMARK 198"]],
])("sends bookmarks each minute and before its limit, but the first one only after a change: %s", async (...row) => {
  const [, seconds, namespace, expected] = row;
  const { Cluster } = await import("../controllers/workloads/workloads.fixture.ts");
  const cluster = await Cluster.start({});
  const { metadata } = await cluster.send("GET", maps);
  const parameters = `allowWatchBookmarks=true&timeoutSeconds=${seconds}&resourceVersion=${metadata.resourceVersion}`;
  const { stream } = await cluster.server.handle({
    method: "GET",
    url: `${maps}?watch=true&${parameters}`,
    headers: {},
  });
  const seen: string[] = [];
  const start = Number(cluster.clock.now());
  const read = (async () => {
    for await (const chunk of stream ?? []) {
      for (const line of String(chunk).trim().split("\n"))
        seen.push(`${JSON.parse(line).type} ${Math.round((cluster.clock.now() - start) / 1000)}`);
    }
  })();
  await cluster.advance(1000);
  if (namespace !== "") {
    await cluster.send("POST", `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: "new" } });
  }
  await cluster.advance(300_000);
  await read;
  expect(seen).toEqual(expected);
});
