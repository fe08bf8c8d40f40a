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

import { computeStatus, Manager } from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { eventually, fakeClient, testContext, testLogger } from "@kubewright/runtime/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Website } from "#api/v1/index.ts";
import { WebsiteReconciler } from "./website-controller.ts";

const key = { namespace: "default", name: "sample" };

function sample(): Website {
  return {
    apiVersion: Website.apiVersion,
    kind: Website.kind,
    metadata: { ...key },
    spec: { image: "nginx:1.29", replicas: 2 },
  };
}

describe("with a fake client", () => {
  const ctx = testContext({ log: testLogger(beforeEach) });
  const statusSubresource = [Website, Deployment];

  it("runs the image of the website", async () => {
    const client = fakeClient({ objects: [sample()], statusSubresource });
    await new WebsiteReconciler(client).reconcile(ctx, key);
    const { spec, metadata } = await client.get(Deployment, key);
    expect(spec).toMatchObject({ replicas: 2, template: { spec: { containers: [{ image: "nginx:1.29" }] } } });
    expect(metadata.ownerReferences).toMatchObject([{ kind: "Website", name: "sample", controller: true }]);
  });

  it("is ready when the Deployment has rolled out", async () => {
    const client = fakeClient({ objects: [sample()], statusSubresource });
    const reconciler = new WebsiteReconciler(client);
    await reconciler.reconcile(ctx, key);
    const deployment = await client.get(Deployment, key);
    const ready = { replicas: 2, readyReplicas: 2, availableReplicas: 2 };
    const conditions = [
      { type: "Available", status: "True" as const },
      { type: "Progressing", status: "True" as const, reason: "NewReplicaSetAvailable" },
    ];
    // Both Pods are ready, but still run the image before.
    await client.status.update({ ...deployment, status: { ...ready, conditions, updatedReplicas: 0 } });
    await reconciler.reconcile(ctx, key);
    expect(computeStatus(await client.get(Website, key)).status).toBe("InProgress");
    const observed = await client.get(Deployment, key);
    await client.status.update({ ...observed, status: { ...ready, conditions, updatedReplicas: 2 } });
    await reconciler.reconcile(ctx, key);
    const found = await client.get(Website, key);
    expect(found.status?.readyReplicas).toBe(2);
    expect(computeStatus(found).status).toBe("Current");
  });

  it("ignores a deleted website", async () => {
    const client = fakeClient();
    await new WebsiteReconciler(client).reconcile(ctx, key);
    expect((await client.list(Deployment)).items).toEqual([]);
  });
});

describe("with an API server", () => {
  const environment = new TestEnvironment({ crdDirectoryPaths: ["config/crd/bases"] });
  const logger = testLogger(beforeEach);
  const stop = new AbortController();
  let mgr: Manager;
  let running: Promise<void>;

  beforeAll(async () => {
    const config = await environment.start();
    mgr = await Manager.create(config, { logger, metrics: { bindAddress: "0" } });
    await new WebsiteReconciler(mgr.client).setupWithManager(mgr);
    running = mgr.start(stop.signal);
  }, 120_000);

  afterAll(async () => {
    stop.abort();
    await running;
    await environment.stop();
  }, 120_000);

  it("creates a deleted Deployment again", async () => {
    await mgr.client.create(sample());
    const deployment = await eventually(() => mgr.client.get(Deployment, key), { timeout: 50_000 });
    await mgr.client.delete(deployment);
    await eventually(
      async () => expect((await mgr.client.get(Deployment, key)).metadata.uid).not.toBe(deployment.metadata.uid),
      { timeout: 50_000 },
    );
  }, 120_000);
});
