import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { kubernetesVersions } from "../data/versions.ts";
import type { ApiObject } from "../model/resource.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";

const uid = "object.metadata.uid";
const namespace = "object.metadata.namespace";
const [low, middle, high] = ["0x0000000000000000", "0x8000000000000000", "0x10000000000000000"];
const shardOf = (field: string, start: string, end: string): string => `shardRange(${field}, '${start}', '${end}')`;
const halves = [shardOf(uid, low, middle), shardOf(uid, middle, high)] as const;
const everything = shardOf(uid, low, high);
const count = 20;

/** The hash of a text, with integers of any size. */
function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

interface List {
  kind: string;
  metadata: { continue?: string; remainingItemCount?: number; resourceVersion: string; shardInfo?: JsonObject };
  items: ApiObject[];
}

class Client {
  readonly server: ApiServer;
  constructor(server: ApiServer) {
    this.server = server;
  }

  async send(method: string, path: string, query: Record<string, string> = {}, body?: unknown, accept = "") {
    const url = `${path}?${new URLSearchParams(query)}`;
    const headers = { "content-type": "application/json", ...(accept === "" ? {} : { accept }) };
    const answer = await this.server.handle({
      method,
      url,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { ...answer, json: answer.stream === undefined ? JSON.parse(String(answer.body)) : undefined };
  }

  async list(path: string, query: Record<string, string>): Promise<List> {
    return (await this.send("GET", path, query)).json;
  }

  /** Returns the events of a watch until a number of them has come, or no more come for a moment. */
  async events(path: string, query: Record<string, string>, change: () => Promise<void>): Promise<JsonObject[]> {
    const { stream } = await this.send("GET", path, { watch: "true", timeoutSeconds: "1", ...query });
    const reading = (async () => {
      let text = "";
      for await (const chunk of stream as AsyncIterable<string>) text += chunk;
      return text;
    })();
    await change();
    return (await reading)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }
}

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

async function start(gate: boolean, version = kubernetesVersions[0]): Promise<Client> {
  const server = await startApiServer({
    http: false,
    authorization: "always-allow",
    crds: [widgets],
    ...(version === undefined ? {} : { kubernetesVersion: version }),
    ...(gate ? { featureGates: { ShardedListAndWatch: true } } : {}),
  });
  const client = new Client(server);
  for (let index = 0; index < count; index++) {
    const space = `team-${index % 4}`;
    if (index < 4) await client.send("POST", "/api/v1/namespaces", {}, { metadata: { name: space } });
    const labels = { app: index % 2 === 0 ? "even" : "odd" };
    const metadata = { name: `n${index}`, labels };
    await client.send("POST", `/api/v1/namespaces/${space}/configmaps`, {}, { metadata });
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata };
    await client.send("POST", `/apis/example.com/v1/namespaces/${space}/widgets`, {}, widget);
  }
  return client;
}

const names = (objects: readonly ApiObject[]): string[] =>
  objects.map(({ metadata }) => metadata.name as string).sort();
const paths = ["/api/v1/configmaps", "/apis/example.com/v1/widgets", "/api/v1/namespaces/team-1/configmaps"];

describe.each(kubernetesVersions)("without the gate in %s", (version) => {
  let client: Client;
  beforeAll(async () => {
    client = await start(false, version);
  });
  afterAll(() => client.server.stop());

  it.each([everything, halves[0], "nonsense", " "])("a list ignores the selector %j", async (shardSelector) => {
    const list = await client.list("/api/v1/configmaps", { shardSelector });
    expect(list.items.length).toBeGreaterThanOrEqual(count);
    expect(list.metadata).not.toHaveProperty("shardInfo");
  });

  it("a watch and the deletion of a collection ignore an invalid selector", async () => {
    const shardSelector = "nonsense";
    const path = "/api/v1/namespaces/team-3/configmaps";
    const events = await client.events(path, { shardSelector }, async () => {
      expect((await client.send("DELETE", path, { shardSelector })).json.items).toHaveLength(count / 4);
    });
    expect(events.filter(({ type }) => type === "DELETED")).toHaveLength(count / 4);
  });
});

describe("with the gate", () => {
  let client: Client;
  beforeAll(async () => {
    client = await start(true);
  });
  afterAll(() => client.server.stop());

  it.each(paths)("shards by UID divide the objects of %s", async (path) => {
    const { items: all } = await client.list(path, {});
    const parts = await Promise.all(halves.map((shardSelector) => client.list(path, { shardSelector })));
    for (const [index, part] of parts.entries()) {
      const inHalf = ({ metadata }: ApiObject): boolean => Number(hashOf(metadata.uid as string) >> 63n) === index;
      expect(names(part.items)).toEqual(names(all.filter(inHalf)));
      expect(part.metadata.shardInfo).toEqual({ selector: halves[index] });
    }
    expect(names(parts.flatMap(({ items }) => items))).toEqual(names(all));
  });

  it("a shard by namespace has whole namespaces", async () => {
    const hash = hashOf("team-2");
    const selector = shardOf(namespace, `0x${hash.toString(16).padStart(16, "0")}`, high);
    const { items } = await client.list("/apis/example.com/v1/widgets", { shardSelector: selector });
    const expected = (await client.list("/apis/example.com/v1/widgets", {})).items.filter(
      ({ metadata }) => hashOf(metadata.namespace as string) >= hash,
    );
    expect(names(items)).toEqual(names(expected));
    expect(items.some(({ metadata }) => metadata.namespace === "team-2")).toBe(true);
  });

  it("a cluster-scoped object has an empty namespace", async () => {
    const all = await client.list("/api/v1/namespaces", {});
    const only = shardOf(namespace, "0xcbf29ce484222325", "0xcbf29ce484222326");
    expect(names((await client.list("/api/v1/namespaces", { shardSelector: only })).items)).toEqual(names(all.items));
    const before = shardOf(namespace, low, "0xcbf29ce484222325");
    expect((await client.list("/api/v1/namespaces", { shardSelector: before })).items).toEqual([]);
  });

  it("shardInfo has the canonical selector, also of one that selects everything", async () => {
    const shardSelector = `\t( shardRange(${uid},"${low}",r'${middle}')||${halves[1]})`;
    const { metadata, items } = await client.list("/api/v1/configmaps", { shardSelector });
    expect(metadata.shardInfo).toEqual({ selector: halves.join(" || ") });
    expect(items.length).toBeGreaterThanOrEqual(count);
  });

  it("an empty selector selects everything, and shardInfo is absent", async () => {
    const { metadata } = await client.list("/api/v1/configmaps", { shardSelector: "" });
    expect(metadata).not.toHaveProperty("shardInfo");
  });

  it("shard, labels and fields must all match", async () => {
    const query = { labelSelector: "app=even", fieldSelector: "metadata.namespace=team-2", shardSelector: halves[0] };
    const [all, own] = await Promise.all([client.list(paths[0] as string, {}), client.list(paths[0] as string, query)]);
    const expected = all.items.filter(
      ({ metadata }) =>
        metadata.labels?.app === "even" && metadata.namespace === "team-2" && !(hashOf(metadata.uid as string) >> 63n),
    );
    expect(names(own.items)).toEqual(names(expected));
  });

  it("an object that is selected by its name is absent outside its shard", async () => {
    const path = "/api/v1/namespaces/team-1/configmaps";
    const query = { fieldSelector: "metadata.name=n1" };
    const parts = await Promise.all(halves.map((shardSelector) => client.list(path, { ...query, shardSelector })));
    expect(parts.map(({ items }) => items.length).sort()).toEqual([0, 1]);
  });

  it.each(paths)("pages of %s have the objects of the shard, and never a remaining count", async (path) => {
    const [shardSelector] = halves;
    const whole = await client.list(path, { shardSelector });
    const found: ApiObject[] = [];
    let token = "";
    do {
      const page = await client.list(path, { shardSelector, limit: "2", ...(token === "" ? {} : { continue: token }) });
      expect(page.items.length).toBeLessThanOrEqual(2);
      expect(page.metadata).not.toHaveProperty("remainingItemCount");
      expect(page.metadata.shardInfo).toEqual({ selector: shardSelector });
      found.push(...page.items);
      token = page.metadata.continue ?? "";
    } while (token !== "");
    expect(names(found)).toEqual(names(whole.items));
  });

  it.each(["/api/v1/configmaps", "/apis/example.com/v1/widgets"])(
    "partial metadata of %s has shardInfo",
    async (path) => {
      const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
      const { json } = await client.send("GET", path, { shardSelector: halves[1] }, undefined, accept);
      expect(json.kind).toBe("PartialObjectMetadataList");
      expect(json.metadata.shardInfo).toEqual({ selector: halves[1] });
      expect(names(json.items)).toEqual(names((await client.list(path, { shardSelector: halves[1] })).items));
    },
  );

  it.each(["/api/v1/configmaps", "/apis/example.com/v1/widgets"])(
    "a table of %s has the rows of the shard, without shardInfo",
    async (path) => {
      const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
      const { json } = await client.send("GET", path, { shardSelector: halves[1] }, undefined, accept);
      expect(json.metadata).not.toHaveProperty("shardInfo");
      const rows = json.rows.map(({ object }: { object: ApiObject }) => object);
      expect(names(rows)).toEqual(names((await client.list(path, { shardSelector: halves[1] })).items));
    },
  );

  it("a list in protobuf has shardInfo", async () => {
    const headers = { accept: "application/vnd.kubernetes.protobuf" };
    const url = `/api/v1/configmaps?${new URLSearchParams({ shardSelector: halves[0] })}`;
    const { body } = await client.server.handle({ method: "GET", url, headers });
    expect(Buffer.from(body as Uint8Array).toString("latin1")).toContain(halves[0]);
  });

  it("all kinds have shards", async () => {
    const groups = ["/api/v1"];
    for (const { name, versions } of (await client.send("GET", "/apis")).json.groups) {
      for (const { version } of versions) groups.push(`/apis/${name}/${version}`);
    }
    const problems: string[] = [];
    let checked = 0;
    for (const group of groups) {
      for (const { name, verbs } of (await client.send("GET", group)).json.resources) {
        // The states of components aren't stored.
        if (!verbs.includes("list") || name === "componentstatuses") continue;
        checked++;
        const { metadata } = await client.list(`${group}/${name}`, { shardSelector: halves[0] });
        if (metadata.shardInfo?.selector !== halves[0]) problems.push(`${group}/${name}`);
      }
    }
    expect(problems).toEqual([]);
    expect(checked).toBeGreaterThan(60);
  });

  it.each([
    [
      "with initial events",
      { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: "true" },
    ],
    ["from any state", { resourceVersion: "0" }],
    ["without a version", {}],
  ] as const)("a watch %s has only the objects of the shard", async (_name, query) => {
    const path = "/api/v1/namespaces/team-0/configmaps";
    const expected = names((await client.list(path, { shardSelector: halves[0] })).items);
    const created: ApiObject[] = [];
    const events = await client.events(path, { ...query, shardSelector: halves[0] }, async () => {
      for (let index = 0; index < 8; index++) {
        const { json } = await client.send("POST", path, {}, { metadata: { generateName: "later-" } });
        created.push(json);
      }
      for (const { metadata } of created) await client.send("DELETE", `${path}/${metadata.name}`);
    });
    const seen = (type: string) =>
      names(events.filter((event) => event.type === type).map(({ object }) => object as ApiObject));
    const own = names(created.filter(({ metadata }) => !(hashOf(metadata.uid as string) >> 63n)));
    expect(seen("ADDED")).toEqual([...expected, ...own].sort());
    expect(seen("DELETED")).toEqual(own);
    const bookmarks = events.filter(({ type }) => type === "BOOKMARK");
    for (const { object } of bookmarks) expect((object as ApiObject).metadata).not.toHaveProperty("shardInfo");
  });

  fullTest("a watch by namespace ignores changes in namespaces of other shards", async () => {
    const hash = hashOf("team-1");
    const selector = shardOf(
      namespace,
      `0x${hash.toString(16).padStart(16, "0")}`,
      `0x${(hash + 1n).toString(16).padStart(16, "0")}`,
    );
    const { metadata } = await client.list("/apis/example.com/v1/widgets", { limit: "1" });
    const query = { shardSelector: selector, resourceVersion: metadata.resourceVersion };
    const events = await client.events("/apis/example.com/v1/widgets", query, async () => {
      for (const space of ["team-0", "team-1", "team-2"]) {
        const body = { metadata: { labels: { changed: "true" } } };
        const url = `/apis/example.com/v1/namespaces/${space}/widgets/n${space.slice(-1)}`;
        const headers = { "content-type": "application/merge-patch+json" };
        await client.server.handle({ method: "PATCH", url, headers, body: JSON.stringify(body) });
      }
    });
    expect(events).toMatchObject([{ type: "MODIFIED", object: { metadata: { name: "n1" } } }]);
  });

  it("the deletion of a collection deletes the objects of the shard, and returns them with shardInfo", async () => {
    const path = "/apis/example.com/v1/namespaces/team-3/widgets";
    const all = await client.list(path, {});
    const { items: expected } = await client.list(path, { shardSelector: halves[0] });
    const { json } = await client.send("DELETE", path, { shardSelector: halves[0] });
    expect(json.metadata.shardInfo).toEqual({ selector: halves[0] });
    expect(names(json.items)).toEqual(names(expected));
    const rest = names((await client.list(path, {})).items);
    expect(rest).toEqual(names(all.items).filter((name) => !names(expected).includes(name)));
  });

  it.each([
    ["nonsense", "unexpected expression kind 3; expected shardRange() call or || operator"],
    [" ", "empty shard selector is not allowed; omit the parameter for unfiltered lists"],
    [
      `shardRange(${uid}, '0x0', '${middle}')`,
      'hexStart must be a 0x-prefixed 16-digit hex value, got "0x0" (did you mean "0x0000000000000000"?)',
    ],
  ])("a list, a watch and a deletion refuse the selector %j", async (shardSelector, problem) => {
    const expected = { kind: "Status", code: 400, reason: "BadRequest", message: `invalid shard selector: ${problem}` };
    for (const path of ["/api/v1/namespaces/team-0/configmaps", "/apis/example.com/v1/namespaces/team-0/widgets"]) {
      const before = await client.list(path, {});
      expect((await client.send("GET", path, { shardSelector })).json).toMatchObject(expected);
      expect((await client.send("GET", path, { shardSelector, watch: "true" })).json).toMatchObject(expected);
      expect((await client.send("DELETE", path, { shardSelector })).json).toMatchObject(expected);
      expect(names((await client.list(path, {})).items)).toEqual(names(before.items));
    }
  });

  it("problems of labels and fields come before those of the shard", async () => {
    const shardSelector = "nonsense";
    const { json } = await client.send("GET", paths[0] as string, { shardSelector, fieldSelector: "spec.x=1" });
    expect(json.message).toContain('"spec.x" is not a known field selector');
  });
});
