import { describe, expect, it } from "vitest";
import type { Scale } from "../../api/autoscaling/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import { groupVersion, type Kind } from "../../api/kind.ts";
import { ApiError } from "../../errors/api-error.ts";
import { isConflict, isNotFound } from "../../errors/predicates.ts";
import type { TransportRequest } from "../../transport/transport.ts";
import type { Client } from "../client.ts";
import { createLiveClient } from "../live-client.ts";
import { mergeFrom } from "../patch.ts";
import { interceptor } from "./interceptor.ts";
import { newNamespacedClient } from "./namespaced.ts";
import { newDryRunClient, withFieldOwner, withFieldValidation } from "./with-options.ts";

const ConfigMap: Kind = groupVersion("", "v1").kind("ConfigMap", { plural: "configmaps", scope: "Namespaced" });
const Node: Kind = groupVersion("", "v1").kind("Node", { plural: "nodes", scope: "Cluster" });
const map = (namespace?: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...(namespace === undefined ? {} : { namespace }) },
});

/** Returns a client that records its requests as `VERB path query`, with the dryRun of the body. */
function setUp() {
  const sent: string[] = [];
  const note = ({ method, path, query = {}, body }: TransportRequest): void => {
    const asked = Object.entries(query).filter(([key, value]) => value !== undefined && !/watch/i.test(key));
    const dryRun = (body as { dryRun?: string[] } | undefined)?.dryRun;
    const words = [method, path, asked.map(([key, value]) => `${key}=${value}`).join("&"), dryRun ? "dryRun" : ""];
    sent.push(words.filter(Boolean).join(" "));
  };
  const client = createLiveClient({
    transport: {
      async request(request) {
        note(request);
        const metadata = { name: "a", namespace: "ns" };
        const isList = request.method === "GET" && request.path.endsWith("configmaps");
        const body = isList ? { kind: "ConfigMapList", metadata, items: [] } : { ...map("ns"), metadata };
        return { status: 200, headers: {}, body };
      },
      async stream(request) {
        note(request);
        return { async *[Symbol.asyncIterator]() {}, close: async () => {} };
      },
      close: async () => {},
    },
    mapper: { mapping: async (_g, _v, kind) => ({ plural: `${kind.toLowerCase()}s`, namespaced: kind !== "Node" }) },
  });
  return { client, sent };
}

/** Sends each kind of write for one object. */
async function writeAll(client: Client, of: KubernetesObject, options: { fieldOwner?: string } = {}): Promise<void> {
  const key = { namespace: of.metadata?.namespace, name: "a" };
  const apply = { fieldOwner: "me", ...options };
  await client.create(of, options);
  await client.update(of, options);
  await client.patch(of, mergeFrom(of), options);
  await client.apply(of, apply);
  await client.status.update(of, options);
  await client.status.patch(of, mergeFrom(of), options);
  await client.status.apply(of, apply);
  await client.subResource("scale").create(of, of as Scale, options);
  await client.subResource("scale").update(of, of as Scale, options);
  await client.subResource("scale").patch(of, mergeFrom(of), options);
  await client.delete(of);
  await client.delete(ConfigMap, key);
  await client.deleteAllOf(ConfigMap, { namespace: key.namespace });
}

describe("newDryRunClient", () => {
  it("K7: sends each write as a dry run, whatever its options are, and doesn't change reads", async () => {
    const { client, sent } = setUp();
    const dry = newDryRunClient(client);
    await writeAll(dry, map("ns"));
    expect(sent).toHaveLength(13);
    expect(sent.filter((request) => !/dryRun/.test(request))).toEqual([]);
    sent.length = 0;
    await dry.update(map("ns"), { dryRun: false });
    await dry.get(ConfigMap, { namespace: "ns", name: "a" });
    await dry.subResource("scale").get(map("ns"));
    expect(sent).toEqual([
      "PUT /api/v1/namespaces/ns/configmaps/a dryRun=All",
      "GET /api/v1/namespaces/ns/configmaps/a",
      "GET /api/v1/namespaces/ns/configmaps/a/scale",
    ]);
  });
});

describe("withFieldOwner and withFieldValidation", () => {
  it("K7: set the field owner of all writes except deletions, unless the call sets another one", async () => {
    const { client, sent } = setUp();
    await writeAll(withFieldOwner(client, "me"), map("ns"));
    expect(
      sent.filter((request) => !request.includes("fieldManager=me")).map((request) => request.split(" ")[0]),
    ).toEqual(["DELETE", "DELETE", "DELETE"]);
    sent.length = 0;
    await writeAll(withFieldOwner(client, "me"), map("ns"), { fieldOwner: "other" });
    expect(sent.filter((request) => request.includes("fieldManager=other"))).toHaveLength(10);
    sent.length = 0;
    const owned = withFieldOwner(client, "me");
    await owned.apply(map("ns"));
    await owned.status.apply(map("ns"), { force: true });
    expect(sent).toEqual([
      "PATCH /api/v1/namespaces/ns/configmaps/a fieldManager=me",
      "PATCH /api/v1/namespaces/ns/configmaps/a/status fieldManager=me&force=true",
    ]);
  });

  it("K7: set the validation unless the call sets it, and not for apply", async () => {
    const { client, sent } = setUp();
    const strict = withFieldValidation(client, "Strict");
    await strict.create(map("ns"));
    await strict.update(map("ns"), { fieldValidation: "Ignore" });
    await strict.apply(map("ns"), { fieldOwner: "me" });
    expect(sent).toEqual([
      "POST /api/v1/namespaces/ns/configmaps fieldValidation=Strict",
      "PUT /api/v1/namespaces/ns/configmaps/a fieldValidation=Ignore",
      "PATCH /api/v1/namespaces/ns/configmaps/a fieldManager=me",
    ]);
  });

  it("can be nested", async () => {
    const { client, sent } = setUp();
    await newDryRunClient(withFieldOwner(newNamespacedClient(client, "ns"), "me")).create(map());
    expect(sent).toEqual(["POST /api/v1/namespaces/ns/configmaps fieldManager=me&dryRun=All"]);
  });
});

describe("newNamespacedClient", () => {
  it("K6: adds the namespace, and doesn't change the caller's object", async () => {
    const { client, sent } = setUp();
    const inside = newNamespacedClient(client, "ns");
    const object = map();
    await writeAll(inside, object);
    await inside.get(ConfigMap, { name: "a" });
    await inside.list(ConfigMap);
    for await (const _ of inside.watch(ConfigMap));
    await inside.subResource("scale").get(object);
    expect(sent).toHaveLength(17);
    expect(sent.filter((request) => !request.includes("/namespaces/ns/configmaps"))).toEqual([]);
    expect(object.metadata).toEqual({ name: "a" });
  });

  it("K6: rejects another namespace without a request", async () => {
    const { client, sent } = setUp();
    const inside = newNamespacedClient(client, "ns");
    const refused = "ConfigMap other/a: this client is limited to namespace ns";
    await expect(inside.update(map("other"))).rejects.toThrow(refused);
    await expect(inside.status.update(map("other"))).rejects.toThrow(refused);
    await expect(inside.get(ConfigMap, { namespace: "other", name: "a" })).rejects.toThrow(refused);
    await expect(inside.delete(map("other"))).rejects.toThrow(refused);
    await expect(inside.list(ConfigMap, { namespace: "other" })).rejects.toThrow("ConfigMap in namespace other");
    await expect(inside.subResource("scale").get(map("other"))).rejects.toThrow(refused);
    await expect(inside.watch(ConfigMap, { namespace: "other" })[Symbol.asyncIterator]().next()).rejects.toThrow(
      "ConfigMap in namespace other",
    );
    expect(sent).toEqual([]);
    expect(() => newNamespacedClient(client, "")).toThrow(TypeError);
  });

  it("K6: doesn't change requests for cluster-scoped kinds", async () => {
    const { client, sent } = setUp();
    const inside = newNamespacedClient(client, "ns");
    await inside.get(Node, { name: "a" });
    await inside.update({ apiVersion: "v1", kind: "Node", metadata: { name: "a" } });
    expect(sent).toEqual(["GET /api/v1/nodes/a", "PUT /api/v1/nodes/a"]);
    expect(await inside.isObjectNamespaced(map())).toBe(true);
  });
});

describe("interceptor", () => {
  it("calls the functions with the wrapped client, and delegates all other methods", async () => {
    const { client, sent } = setUp();
    const seen: string[] = [];
    const intercepted = interceptor.newClient(client, {
      get: () => Promise.reject(ApiError.notFound("ConfigMap", "a")),
      update: async (inner, object, options) => {
        seen.push("update");
        return inner.update(object, { ...options, fieldOwner: "test" });
      },
      delete: async (_inner, object) => void seen.push(`delete ${object.kind} ${object.metadata?.name}`),
      subResourceUpdate: (_inner, name) => Promise.reject(ApiError.conflict("ConfigMap", "a", `${name} changed`)),
    });
    await expect(intercepted.get(ConfigMap, { namespace: "ns", name: "a" })).rejects.toSatisfy(isNotFound);
    await intercepted.update(map("ns"));
    await intercepted.delete(map("ns"));
    await intercepted.delete(ConfigMap, { namespace: "ns", name: "b" });
    await expect(intercepted.status.update(map("ns"))).rejects.toThrow("status changed");
    await expect(intercepted.subResource("scale").update(map("ns"))).rejects.toSatisfy(isConflict);
    expect(seen).toEqual(["update", "delete ConfigMap a", "delete ConfigMap b"]);
    expect(sent).toEqual(["PUT /api/v1/namespaces/ns/configmaps/a fieldManager=test"]);
  });

  it("changes nothing without functions, and delegates nothing if all functions are set", async () => {
    const { client, sent } = setUp();
    await writeAll(interceptor.newClient(client, {}), map("ns"));
    const plain = setUp();
    await writeAll(plain.client, map("ns"));
    expect(sent).toEqual(plain.sent);

    const calls: string[] = [];
    const fake = new Proxy(
      {},
      {
        get: (_target, name: string) => async () => {
          calls.push(name);
          return map("ns");
        },
      },
    );
    const closed = setUp();
    const intercepted = interceptor.newClient(closed.client, fake);
    await writeAll(intercepted, map("ns"));
    await intercepted.get(ConfigMap, { name: "a" });
    await intercepted.list(ConfigMap);
    intercepted.watch(ConfigMap);
    await intercepted.subResource("scale").get(map("ns"));
    expect(closed.sent).toEqual([]);
    expect(new Set(calls).size).toBe(14);
  });
});
