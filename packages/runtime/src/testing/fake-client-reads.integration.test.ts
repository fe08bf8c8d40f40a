import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import { rawPatch } from "../client/patch.ts";
import { isNotFound } from "../errors/predicates.ts";
import { Deployment, Game, game, key, Pod } from "./game.fixture.ts";
import { fakeClient } from "./index.ts";

describe("lists of the fake client", () => {
  const objects = [
    game({ name: "b", labels: { tier: "gold" } }, { spec: { replicas: 2 } }),
    game({ name: "a", labels: { tier: "iron" } }),
    game({ name: "c", namespace: "other", labels: { tier: "gold" } }),
  ];
  const names = async (client: ReturnType<typeof fakeClient>, options?: Parameters<typeof client.list>[1]) =>
    (await client.list(Game, options)).items.map(({ metadata }) => metadata.name);

  it("are selected by namespace, labels and fields", async () => {
    const indexes = [
      { kind: Game, field: ".spec.replicas", values: (object: Game) => [String(object.spec?.replicas)] },
    ];
    const client = fakeClient({ objects, indexes });
    expect(await names(client)).toEqual(["a", "b", "c"]);
    expect(await names(client, { namespace: "default" })).toEqual(["a", "b"]);
    expect(await names(client, { labels: { tier: "gold" } })).toEqual(["b", "c"]);
    expect(await names(client, { labels: "tier in (iron, tin),!missing" })).toEqual(["a"]);
    const withoutValue = { tier: undefined } as unknown as Record<string, string>;
    await expect(client.list(Game, { labels: withoutValue })).rejects.toThrow(TypeError);
    expect(await names(client, { fields: { "metadata.name": "c" } })).toEqual(["c"]);
    expect(await names(client, { fields: { "spec.replicas": "2" } })).toEqual(["b"]);
    await expect(names(client, { fields: { ".spec.other": "2" } })).rejects.toThrow(
      /field label not supported: spec\.other.*indexes/,
    );
  });

  it("are returned in pages", async () => {
    const client = fakeClient({ objects });
    const first = await client.list(Game, { limit: 2 });
    expect(first.items).toHaveLength(2);
    expect(first.metadata.remainingItemCount).toBe(1);
    const rest = await client.list(Game, { limit: 2, continue: first.metadata.continue });
    expect(rest.items).toHaveLength(1);
    expect(rest.metadata.continue ?? "").toBe("");
  });

  it("contain copies, or frozen objects with shared", async () => {
    const client = fakeClient({ objects: [game()] });
    const mine = await client.get(Game, key);
    mine.spec = {};
    expect((await client.get(Game, key)).spec).toEqual({ replicas: 1 });
    expect(Object.isFrozen((await client.get(Game, key, { shared: true })).spec)).toBe(true);
  });

  it("contain objects in other versions of their kind", async () => {
    const client = fakeClient({ objects: [game()] });
    const v2 = groupVersion("games.example.com", "v2").kind("Game");
    expect((await client.get(v2, key)).apiVersion).toBe("games.example.com/v2");
  });
});

describe("watches of the fake client", () => {
  it("send existing objects and then their changes, until the signal aborts", async () => {
    const client = fakeClient({ objects: [game()] });
    const stop = new AbortController();
    const seen: string[] = [];
    const done = (async () => {
      for await (const { type, object } of client.watch(Game, { signal: stop.signal })) {
        seen.push(`${type} ${object.metadata.name}`);
        if (seen.length === 4) stop.abort();
      }
    })();
    await client.create(game({ name: "two" }));
    const stored = await client.get(Game, key);
    await client.update({ ...stored, spec: { replicas: 4 } });
    await client.delete(game({ name: "two" }));
    await done;
    expect(seen).toEqual(["ADDED one", "ADDED two", "MODIFIED one", "DELETED two"]);
  });

  it("continue from a resource version, and report objects that enter and leave a selector", async () => {
    const client = fakeClient({ objects: [game({ labels: { on: "no" } })] });
    const { resourceVersion } = (await client.list(Game)).metadata;
    const stop = new AbortController();
    let stored = await client.get(Game, key);
    for (const on of ["yes", "yes", "no"]) {
      const metadata = { ...stored.metadata, labels: { on }, annotations: { at: String(Math.random()) } };
      stored = await client.update({ ...stored, metadata });
    }
    const seen: string[] = [];
    for await (const { type } of client.watch(Game, { resourceVersion, labels: "on=yes", signal: stop.signal })) {
      seen.push(type);
      if (seen.length === 3) stop.abort();
    }
    expect(seen).toEqual(["ADDED", "MODIFIED", "DELETED"]);
  });

  it("end without an error if the signal aborts", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 10);
    for await (const _ of fakeClient().watch(Game, { signal: stop.signal })) throw new Error("there is nothing to see");
  });
});

describe("subresources of the fake client", () => {
  it("read and write the replicas of a scale", async () => {
    const deployment: Game = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: key,
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: "x" } },
        template: { metadata: { labels: { app: "x" } }, spec: { containers: [{ name: "main", image: "example/x" }] } },
      } as Game["spec"],
      status: { replicas: 1 },
    };
    const client = fakeClient({ objects: [deployment] });
    const scale = client.subResource("scale");
    const before = await scale.get(deployment);
    expect(before).toMatchObject({ kind: "Scale", spec: { replicas: 2 }, status: { replicas: 1, selector: "app=x" } });
    await scale.update(deployment, { ...before, spec: { replicas: 5 } });
    expect((await client.get(Deployment, key)).spec?.replicas).toBe(5);
    await scale.patch(deployment, rawPatch("application/merge-patch+json", { spec: { replicas: 0 } }));
    expect((await client.get(Deployment, key)).spec?.replicas).toBe(0);
  });

  it("update the status from the object if the body is missing", async () => {
    const client = fakeClient({ objects: [game()], statusSubresource: [Game] });
    const stored = await client.get(Game, key);
    await client.subResource("status").update({ ...stored, status: { replicas: 4 } } as KubernetesObject);
    expect((await client.get(Game, key)).status).toEqual({ replicas: 4 });
  });

  it("delete a Pod by an eviction", async () => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: key };
    const client = fakeClient({ objects: [pod] });
    await client.subResource("eviction").create(pod, { apiVersion: "policy/v1", kind: "Eviction", metadata: key });
    await expect(client.get(Pod, key)).rejects.toSatisfy(isNotFound);
  });

  it("aren't found if they aren't supported", async () => {
    const client = fakeClient({ objects: [game()] });
    await expect(client.subResource("log").get(game())).rejects.toSatisfy(isNotFound);
    await expect(client.subResource("scale").get(game())).rejects.toSatisfy(isNotFound);
  });
});

it("the fake client sends no request after the signal has aborted", async () => {
  const signal = AbortSignal.abort(new Error("over"));
  await expect(fakeClient({ objects: [game()] }).get(Game, key, { signal })).rejects.toThrow("over");
});
