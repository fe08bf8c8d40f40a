import { expect, expectTypeOf, it } from "vitest";
import { Job } from "../api/batch/v1.ts";
import { Pod } from "../api/core/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Client } from "../client/client.ts";
import type { Manager } from "../manager/manager.ts";
import { fakeClient } from "./fake-client.ts";

const pod = (name: string, nodeName: string): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default" },
  spec: { containers: [], hostname: nodeName },
});

it("infers the type of the objects of each index", async () => {
  const client = fakeClient({
    objects: [pod("a", "one"), pod("b", "two")],
    indexes: [
      {
        kind: Pod,
        field: ".hostname",
        values: (object) => {
          expectTypeOf(object).toEqualTypeOf<Pod>();
          return [object.spec?.hostname];
        },
      },
      {
        kind: Job,
        field: ".parallelism",
        values: (object) => {
          expectTypeOf(object).toEqualTypeOf<Job>();
          return [String(object.spec?.parallelism)];
        },
      },
      // @ts-expect-error: a Job has no hostname
      { kind: Job, field: ".hostname", values: (object) => [object.spec?.hostname] },
    ],
  });
  const { items } = await client.list(Pod, { fields: { ".hostname": "two" } });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["b"]);
});

class PodReconciler {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async reconcile(): Promise<void> {
    await this.#client.list(Pod);
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    mgr.cache.indexField(Pod, ".hostname", ({ spec }) => (spec?.hostname ? [spec.hostname] : []));
    await newControllerManagedBy(mgr).for(Pod).named("pod").owns(Job).complete(this);
  }
}

it("has the indexes that setupWithManager declares", async () => {
  let calls = 0;
  const client = fakeClient({
    objects: [pod("a", "one"), pod("b", "two")],
    setup: async (mgr) => {
      calls++;
      await new PodReconciler(mgr.client).setupWithManager(mgr);
    },
  });
  expect(calls).toBe(0);
  for (const name of ["one", "two"]) {
    const { items } = await client.list(Pod, { fields: { ".hostname": name } });
    expect(items.map(({ spec }) => spec?.hostname)).toEqual([name]);
  }
  expect(calls).toBe(1);
});

it("rejects requests of the function that declares indexes, and passes on its errors", async () => {
  const sending = fakeClient({ setup: async (mgr) => void (await mgr.apiReader.list(Pod)) });
  await expect(sending.list(Pod)).rejects.toThrow("setup can't send requests");
  const failing = fakeClient({
    setup: () => {
      throw new Error("no index");
    },
  });
  await expect(failing.list(Pod)).rejects.toThrow("no index");
});
