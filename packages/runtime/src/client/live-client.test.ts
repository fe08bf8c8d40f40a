import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import { ApiError } from "../errors/api-error.ts";
import { isGone } from "../errors/predicates.ts";
import { TransportError } from "../errors/transport-error.ts";
import { deepFreeze } from "../json/freeze.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { createLiveClient } from "./live-client.ts";
import { jsonPatch, mergeFrom } from "./patch.ts";

const Pod: Kind = groupVersion("", "v1").kind("Pod", { plural: "pods", scope: "Namespaced" });
const Node: Kind = groupVersion("", "v1").kind("Node", { plural: "nodes", scope: "Cluster" });
const Game: Kind = groupVersion("myapp.io", "v1").kind("Game");
const pod = deepFreeze({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "ns", resourceVersion: "1", uid: "u" },
});
const game = { apiVersion: "myapp.io/v1", kind: "Game", metadata: { name: "g", namespace: "ns" } };
const key = { namespace: "ns", name: "p" };

interface Seen extends TransportRequest {
  /** The query without undefined parameters. */
  asked: Record<string, unknown>;
}

function setup(body: unknown = pod, lines: unknown[] = []) {
  const seen: Seen[] = [];
  const mapped: string[] = [];
  const note = (request: TransportRequest): void => {
    const asked = Object.fromEntries(Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined));
    seen.push({ ...request, asked });
  };
  const transport: Transport = {
    async request(request) {
      note(request);
      return { status: 200, headers: {}, body: structuredClone(body) };
    },
    async stream(request) {
      note(request);
      return {
        async *[Symbol.asyncIterator]() {
          for (const line of lines) {
            if (line instanceof Error) throw line;
            yield line;
          }
        },
        close: async () => {},
      };
    },
    close: async () => {},
  };
  const mapper = {
    async mapping(group: string, version: string, kind: string) {
      mapped.push(`${group}/${version}/${kind}`);
      return { plural: `${kind.toLowerCase()}s`, namespaced: kind !== "Node" };
    },
  };
  const newClient = () => createLiveClient({ transport, mapper });
  return { client: newClient(), newClient, seen, mapped };
}

describe("request paths", () => {
  it("contain group, version, plural, namespace and name", async () => {
    const { client, seen, mapped } = setup();
    await client.get(Pod, key);
    await client.get(Node, { name: "n", namespace: "ignored" });
    await client.get(Game, { namespace: "ns", name: "g" });
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v1/namespaces/ns/pods/p",
      "GET /api/v1/nodes/n",
      "GET /apis/myapp.io/v1/namespaces/ns/games/g",
    ]);
    expect(mapped).toEqual(["myapp.io/v1/Game"]);
  });

  it("need no discovery if the client has seen the kind with plural and scope", async () => {
    const { client, mapped } = setup();
    await client.get(Pod, key);
    await client.update(pod);
    expect(mapped).toEqual([]);
  });

  it("need no discovery if another client with the same mapper has seen the kind", async () => {
    const { client, newClient, mapped } = setup();
    await newClient().get(Pod, key);
    await client.update(pod);
    expect(mapped).toEqual([]);
  });

  it.each([
    ["no name", { namespace: "ns", name: "" }, "has no name"],
    ["no namespace", { name: "p" }, 'Pod "p": a namespace is required'],
    ["a name with a slash", { namespace: "ns", name: "a/b" }, "isn't a valid name"],
    ["a name of dots", { namespace: "ns", name: ".." }, "isn't a valid name"],
    ["a namespace with a percent sign", { namespace: "n%2f", name: "p" }, "isn't a valid namespace"],
  ])("are rejected with %s", async (_name, wrong, text) => {
    const { client, seen } = setup();
    await expect(client.get(Pod, wrong)).rejects.toThrow(text);
    expect(seen).toEqual([]);
  });

  it("are rejected for objects without apiVersion and kind", async () => {
    const { client } = setup();
    await expect(client.update({ metadata: { name: "x" } } as KubernetesObject)).rejects.toThrow(
      "must have apiVersion and kind",
    );
    await expect(client.create({ ...pod, metadata: { namespace: "ns" } })).rejects.toThrow(
      "neither a name nor a generateName",
    );
  });
});

describe("the reads of a live client", () => {
  const list = {
    apiVersion: "v1",
    kind: "PodList",
    metadata: { resourceVersion: "9" },
    items: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }],
  };

  it("K1: add apiVersion and kind to the items of a list", async () => {
    const { client } = setup(list);
    const { items, metadata } = await client.list(Pod, { namespace: "ns" });
    expect(items.map((item) => `${item.apiVersion} ${item.kind} ${item.metadata.name}`)).toEqual([
      "v1 Pod a",
      "v1 Pod b",
    ]);
    expect(Object.keys(items[0]!)).toEqual(["apiVersion", "kind", "metadata"]);
    expect(metadata.resourceVersion).toBe("9");
  });

  it("send selectors, limit and continue", async () => {
    const { client, seen } = setup(list);
    await client.list(Pod, {
      labels: { b: "2", a: "1" },
      fields: { ".spec.nodeName": "n1" },
      limit: 5,
      continue: "tok",
      resourceVersion: "0",
    });
    await client.list(Pod, { continue: "", labels: "a!=b" });
    expect(seen.map((one) => one.asked)).toEqual([
      { labelSelector: "a=1,b=2", fieldSelector: "spec.nodeName=n1", limit: 5, continue: "tok", resourceVersion: "0" },
      { labelSelector: "a!=b" },
    ]);
    expect(seen[0]!.path).toBe("/api/v1/pods");
  });

  it("I19: replace a selector for a namespace by the namespaced path", async () => {
    const { client, seen } = setup(list);
    await client.list(Pod, { fields: { "metadata.namespace": "x" } });
    expect(seen[0]!.path).toBe("/api/v1/namespaces/x/pods");
  });

  it.each([
    ["{}", {}],
    ["nothing", null],
    ["an object", pod],
    ["a list with invalid items", { ...list, items: [1] }],
    ["items that aren't an array", { ...list, items: {} }],
    ["a Status", { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" }],
  ])("reject %s instead of a list", async (_name, body) => {
    const error = await setup(body)
      .client.list(Pod)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TransportError);
    expect((error as TransportError).code).toBe("EBADANSWER");
  });

  it("accept the null items of an empty list", async () => {
    expect((await setup({ ...list, items: null }).client.list(Pod)).items).toEqual([]);
  });

  it.each([
    ["{}", {}],
    ["a list", [1]],
    ["nothing", null],
    ["a Status", { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" }],
  ])("reject %s instead of an object", async (_name, body) => {
    await expect(setup(body).client.get(Pod, key)).rejects.toThrow("but not with a Pod");
  });
});

describe("the writes of a live client", () => {
  it("send the verb, path, content type and options of each method", async () => {
    const { client, seen } = setup();
    const options = { fieldOwner: "me", dryRun: true, fieldValidation: "Strict" as const };
    await client.create(pod, options);
    await client.update(pod);
    await client.patch(pod, mergeFrom(pod));
    await client.patch(pod, jsonPatch([{ op: "remove", path: "/x" }]));
    await client.apply(pod, { fieldOwner: "me", force: true });
    await client.status.update(pod);
    await client.status.patch(pod, mergeFrom(pod));
    await client.status.apply(pod, { fieldOwner: "me" });
    await client.subResource("scale").get(game);
    await client.subResource("eviction").create(pod, { apiVersion: "policy/v1", kind: "Eviction" });
    await client.subResource("scale").update(game, { apiVersion: "autoscaling/v1", kind: "Scale" });
    await client.subResource("scale").patch(game, jsonPatch([]));
    const path = "/api/v1/namespaces/ns/pods";
    const gamePath = "/apis/myapp.io/v1/namespaces/ns/games/g";
    expect(seen.map(({ method, path, contentType, asked }) => [method, path, contentType, asked])).toEqual([
      ["POST", path, undefined, { fieldManager: "me", dryRun: "All", fieldValidation: "Strict" }],
      ["PUT", `${path}/p`, undefined, {}],
      ["PATCH", `${path}/p`, "application/merge-patch+json", {}],
      ["PATCH", `${path}/p`, "application/json-patch+json", {}],
      ["PATCH", `${path}/p`, "application/apply-patch+yaml", { fieldManager: "me", force: true }],
      ["PUT", `${path}/p/status`, undefined, {}],
      ["PATCH", `${path}/p/status`, "application/merge-patch+json", {}],
      ["PATCH", `${path}/p/status`, "application/apply-patch+yaml", { fieldManager: "me" }],
      ["GET", `${gamePath}/scale`, undefined, {}],
      ["POST", `${path}/p/eviction`, undefined, {}],
      ["PUT", `${gamePath}/scale`, undefined, {}],
      ["PATCH", `${gamePath}/scale`, "application/json-patch+json", {}],
    ]);
    expect(seen[2]!.body).toEqual({});
    const named = { metadata: { namespace: "ns", name: "p" } };
    expect(seen[9]!.body).toEqual({ apiVersion: "policy/v1", kind: "Eviction", ...named });
  });

  it("K2: return the stored object and don't change the argument", async () => {
    const stored = { ...pod, metadata: { ...pod.metadata, resourceVersion: "2" } };
    const { client } = setup(stored);
    const answer = await client.update(pod);
    expect(answer.metadata.resourceVersion).toBe("2");
    expect(pod.metadata.resourceVersion).toBe("1");
  });

  it("require a field owner for apply", async () => {
    await expect(setup().client.apply(pod, {} as { fieldOwner: string })).rejects.toThrow(
      "apply requires a fieldOwner",
    );
  });

  it("delete an object, or a kind and a key", async () => {
    const { client, seen } = setup({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" });
    await client.delete(pod);
    await client.delete(Pod, key, {
      gracePeriodSeconds: 0,
      propagationPolicy: "Foreground",
      preconditions: { uid: "u" },
      dryRun: true,
    });
    await client.deleteAllOf(Pod, { namespace: "ns", labels: { a: "b" }, propagationPolicy: "Background" });
    await expect(client.deleteAllOf(Pod)).rejects.toThrow("a namespace is required");
    expect(seen.map(({ method, path, body, asked }) => [method, path, body, asked])).toEqual([
      ["DELETE", "/api/v1/namespaces/ns/pods/p", undefined, {}],
      [
        "DELETE",
        "/api/v1/namespaces/ns/pods/p",
        {
          apiVersion: "v1",
          kind: "DeleteOptions",
          gracePeriodSeconds: 0,
          propagationPolicy: "Foreground",
          preconditions: { uid: "u" },
          dryRun: ["All"],
        },
        {},
      ],
      [
        "DELETE",
        "/api/v1/namespaces/ns/pods",
        { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" },
        { labelSelector: "a=b" },
      ],
    ]);
  });
});

describe("the watch of a live client", () => {
  const added = { type: "ADDED", object: pod };
  const bookmark = { type: "BOOKMARK", object: { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "5" } } };
  const expired = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure" as const,
    reason: "Expired",
    code: 410,
    message: "too old",
  };

  async function events(lines: unknown[], options = {}): Promise<string[]> {
    const types: string[] = [];
    for await (const event of setup(pod, lines).client.watch(Pod, options)) types.push(event.type);
    return types;
  }

  it("yields events, and bookmarks only if requested", async () => {
    expect(await events([added, bookmark])).toEqual(["ADDED"]);
    expect(await events([added, bookmark], { allowWatchBookmarks: true })).toEqual(["ADDED", "BOOKMARK"]);
  });

  it("sends bookmarks, selectors and the resource version as query", async () => {
    const { client, seen } = setup();
    for await (const _event of client.watch(Pod, { namespace: "ns", resourceVersion: "7", labels: { a: "b" } }));
    expect(seen[0]!.path).toBe("/api/v1/namespaces/ns/pods");
    expect(seen[0]!.asked).toEqual({
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: "7",
      labelSelector: "a=b",
    });
  });

  it("throws the ApiError of a 410, and an error for an invalid event or a broken stream", async () => {
    const gone = await events([added, { type: "ERROR", object: expired }]).catch((caught: unknown) => caught);
    expect(gone).toBeInstanceOf(ApiError);
    expect(isGone(gone)).toBe(true);
    await expect(events([{ hello: 1 }])).rejects.toThrow("isn't a watch event");
    await expect(events([{ type: "ADDED", object: {} }])).rejects.toThrow("isn't a watch event");
    await expect(events([new TransportError("ECONNRESET", "broken")])).rejects.toThrow("broken");
  });

  it("ends without an error on abort, before the start and during the watch", async () => {
    expect(await events([added], { signal: AbortSignal.abort() })).toEqual([]);
    const controller = new AbortController();
    const { client } = setup(pod, [added, new Error("the stream's own complaint")]);
    const types: string[] = [];
    for await (const event of client.watch(Pod, { signal: controller.signal })) {
      types.push(event.type);
      controller.abort();
    }
    expect(types).toEqual(["ADDED"]);
  });
});
