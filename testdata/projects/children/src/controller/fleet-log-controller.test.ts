/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import { Manager } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { eventually, fakeClient, testContext, testLogger } from "@kubewright/runtime/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { Fleet } from "#api/v1/index.ts";
import { FleetLogReconciler } from "./fleet-log-controller.ts";

function sample(): Fleet {
  return {
    apiVersion: Fleet.apiVersion,
    kind: Fleet.kind,
    metadata: { name: "sample" },
    // Set the required fields.
    spec: {},
  };
}

describe("with a fake client", () => {
  const ctx = testContext({ log: testLogger(beforeEach) });
  const statusSubresource = [Fleet];
  const request = (name: string) => ({ namespace: "", name });

  it("reconciles an object", async () => {
    const client = fakeClient({ objects: [sample()], statusSubresource });
    const reconciler = new FleetLogReconciler(client);
    await reconciler.reconcile(ctx, request("sample"));
    // Nothing that the user has set is changed. Add assertions about the status and other objects.
    const found = await client.get(Fleet, request("sample"));
    expect(found).toMatchObject(sample());
    const config = { namespace: "default", name: "sample-fleet-log" };
    expect(await client.get(ConfigMap, config)).toMatchObject({ data: { owner: "sample" } });
  });

  it("ignores a deleted object", async () => {
    const reconciler = new FleetLogReconciler(fakeClient());
    await expect(reconciler.reconcile(ctx, request("deleted"))).resolves.toBeUndefined();
  });
});

describe("with an API server", () => {
  const environment = new TestEnvironment({ crdDirectoryPaths: ["config/crd/bases"] });
  const logger = testLogger(beforeEach);
  const stop = new AbortController();
  let mgr: Manager;
  let running: Promise<void>;
  let reconcile: MockInstance;

  beforeAll(async () => {
    const config = await environment.start();
    mgr = await Manager.create(config, { logger, metrics: { bindAddress: "0" } });
    const reconciler = new FleetLogReconciler(mgr.client);
    reconcile = vi.spyOn(reconciler, "reconcile");
    await reconciler.setupWithManager(mgr);
    running = mgr.start(stop.signal);
  }, 120_000);

  afterAll(async () => {
    stop.abort();
    await running;
    await environment.stop();
  }, 120_000);

  it("reconciles a new object", async () => {
    await mgr.client.create(sample());
    await eventually(() => expect(reconcile).toHaveResolved(), { timeout: 110_000 });
  }, 120_000);
});
