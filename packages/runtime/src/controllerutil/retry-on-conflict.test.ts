import { expect, it } from "vitest";
import { ConfigMap } from "../api/core/v1.ts";
import { ApiError } from "../errors/api-error.ts";
import { fakeClient } from "../testing/fake-client.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";

const key = { namespace: "default", name: "settings" };

it("retryOnConflict repeats a function that conflicts, with the current object", async () => {
  const client = fakeClient({ objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata: key } as ConfigMap] });
  let calls = 0;
  await retryOnConflict(async () => {
    const configMap = await client.get(ConfigMap, key);
    if (++calls < 3) await client.update({ ...configMap, data: { other: String(calls) } });
    await client.update({ ...configMap, data: { ...configMap.data, own: "1" } });
  });
  expect(calls).toBe(3);
  expect((await client.get(ConfigMap, key)).data).toEqual({ other: "2", own: "1" });
});

it("retryOnConflict passes on other errors at once, and the conflict after all attempts", async () => {
  let calls = 0;
  const failing = (error: Error) => async () => {
    calls++;
    throw error;
  };
  await expect(retryOnConflict(failing(new Error("broken")))).rejects.toThrow("broken");
  expect(calls).toBe(1);
  const client = fakeClient({ objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata: key } as ConfigMap] });
  const configMap = await client.get(ConfigMap, key);
  await client.update({ ...configMap, data: { a: "1" } });
  calls = 0;
  const update = async () => {
    calls++;
    await client.update({ ...configMap, data: { b: "1" } });
  };
  await expect(retryOnConflict(update, { attempts: 3 })).rejects.toBeInstanceOf(ApiError);
  expect(calls).toBe(3);
});

it("retryOnConflict ends with the signal", async () => {
  const client = fakeClient({ objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata: key } as ConfigMap] });
  const configMap = await client.get(ConfigMap, key);
  await client.update({ ...configMap, data: { a: "1" } });
  const update = () => client.update({ ...configMap, data: { b: "1" } });
  await expect(retryOnConflict(update, { signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
});
