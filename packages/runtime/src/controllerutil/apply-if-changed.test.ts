import { describe, expect, it } from "vitest";
import { ConfigMap, Pod } from "../api/core/v1.ts";
import type { Client } from "../client/client.ts";
import { fakeClient } from "../testing/fake-client.ts";
import { applyIfChanged } from "./apply-if-changed.ts";

const key = { namespace: "default", name: "settings" };
const settings = (data: Record<string, string>): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: key,
  data,
});
const own = { fieldOwner: "game" };

/** Counts the applies of a client. */
function counted(client: Client): { client: Client; applies: () => number } {
  let applies = 0;
  const apply = client.apply.bind(client) as (...args: unknown[]) => unknown;
  const counting = Object.create(client, {
    get: { value: client.get.bind(client) },
    apply: {
      value: (...args: unknown[]) => {
        applies++;
        return apply(...args);
      },
    },
  }) as Client;
  return { client: counting, applies: () => applies };
}

describe("applyIfChanged", () => {
  it("sends one apply for the same configuration, and returns the stored object", async () => {
    const { client, applies } = counted(fakeClient());
    const first = await applyIfChanged(client, settings({ a: "1", b: "2" }), own);
    const again = await applyIfChanged(client, settings({ b: "2", a: "1" }), own);
    expect(applies()).toBe(1);
    expect(again).toMatchObject({ metadata: { uid: first.metadata.uid }, data: { a: "1", b: "2" } });
  });

  it("applies a changed configuration, and one without a field, which is removed", async () => {
    const { client, applies } = counted(fakeClient());
    await applyIfChanged(client, settings({ a: "1", b: "2" }), own);
    await applyIfChanged(client, settings({ a: "1" }), own);
    expect(applies()).toBe(2);
    expect((await client.get(ConfigMap, key)).data).toEqual({ a: "1" });
  });

  it("restores a field that somebody has changed, and an object that somebody has deleted", async () => {
    const inner = fakeClient();
    const { client, applies } = counted(inner);
    await applyIfChanged(client, settings({ a: "1" }), { ...own, force: true });
    await inner.update({ ...(await inner.get(ConfigMap, key)), data: { a: "2" } });
    await applyIfChanged(client, settings({ a: "1" }), { ...own, force: true });
    expect((await inner.get(ConfigMap, key)).data).toEqual({ a: "1" });
    await inner.delete(ConfigMap, key);
    await applyIfChanged(client, settings({ a: "1" }), { ...own, force: true });
    expect([applies(), (await inner.get(ConfigMap, key)).data]).toEqual([3, { a: "1" }]);
  });

  it("sends no apply if reads return fewer fields than writes, as caches with a transform", async () => {
    const inner = fakeClient({ statusSubresource: [Pod] });
    const { client, applies } = counted(inner);
    const get = client.get.bind(client) as (...args: unknown[]) => Promise<object>;
    const transformed = Object.create(client, {
      get: { value: async (...args: unknown[]) => ({ ...(await get(...args)), spec: undefined }) },
    }) as Client;
    const pod = { apiVersion: "v1", kind: "Pod", metadata: key, spec: { containers: [{ name: "a", image: "b" }] } };
    const stored = await applyIfChanged(transformed, pod, own);
    await applyIfChanged(transformed, pod, own);
    await inner.status.update({ ...stored, status: { phase: "Running" } });
    await applyIfChanged(transformed, pod, own);
    expect(applies()).toBe(1);
  });

  it("sends no apply after a change of the status", async () => {
    const inner = fakeClient({ statusSubresource: [Pod] });
    const { client, applies } = counted(inner);
    const pod = { apiVersion: "v1", kind: "Pod", metadata: key, spec: { containers: [{ name: "a", image: "b" }] } };
    const stored = await applyIfChanged(client, pod, own);
    await inner.status.update({ ...stored, status: { phase: "Running" } } as never);
    await applyIfChanged(client, pod, own);
    expect(applies()).toBe(1);
  });
});
