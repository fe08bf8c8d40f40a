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

import { isForbidden, isInvalid, Manager } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { eventually, testContext, testLogger } from "@kubewright/runtime/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Log } from "#api/crew.pay/v1/index.ts";
import { LogValidator, setupLogWebhookWithManager } from "./log-webhook.ts";

const ctx = testContext({ log: testLogger(beforeEach) });

function sample(): Log {
  return {
    apiVersion: Log.apiVersion,
    kind: Log.kind,
    metadata: { name: "sample" },
    // Set the required fields.
    spec: {},
  };
}

describe("LogValidator", () => {
  const validator = new LogValidator();

  it("accepts a new object", async () => {
    await expect(validator.validateCreate(ctx, sample())).resolves.toEqual([]);
    // Add assertions about objects that must be rejected: await expect(…).rejects.toThrow("…")
  });

  it("accepts an update", async () => {
    await expect(validator.validateUpdate(ctx, sample(), sample())).resolves.toEqual([]);
  });

  it("accepts a deletion", async () => {
    await expect(validator.validateDelete(ctx, sample())).resolves.toEqual([]);
  });
});

describe("with an API server", () => {
  const environment = new TestEnvironment({
    crdDirectoryPaths: ["config/crd/bases"],
    webhookInstallOptions: {
      paths: ["config/webhook"],
      // Leaves out the webhooks of other versions, which would also receive these objects.
      kinds: [Log],
    },
  });
  const logger = testLogger(beforeEach);
  const stop = new AbortController();
  let mgr: Manager;
  let running: Promise<void>;

  beforeAll(async () => {
    const config = await environment.start();
    const local = environment.webhookInstallOptions;
    mgr = await Manager.create(config, {
      logger,
      metrics: { bindAddress: "0" },
      webhook: { host: local.localServingHost, port: local.localServingPort, certDir: local.localServingCertDir },
    });
    await setupLogWebhookWithManager(mgr);
    running = mgr.start(stop.signal);
  }, 120_000);

  afterAll(async () => {
    stop.abort();
    await running;
    await environment.stop();
  }, 120_000);

  it("creates an object that the webhooks accept", async () => {
    // The API server needs a moment until it can call new webhooks. Errors of the object don't change.
    const isFinal = (error: unknown) => isInvalid(error) || isForbidden(error);
    const stored = await eventually(() => mgr.client.create(sample()), { timeout: 110_000, isFinal });
    expect(stored.metadata.uid).toBeTruthy();
  }, 120_000);
});
