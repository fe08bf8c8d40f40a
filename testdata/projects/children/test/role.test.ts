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

import { startOperator, TestEnvironment, type TestedOperator } from "@kubewright/runtime/envtest";
import { testLogger } from "@kubewright/runtime/testing";
import { afterAll, beforeAll, beforeEach, describe, it } from "vitest";

// An existing cluster can't add a user.
const isOwnCluster = process.env.USE_EXISTING_CLUSTER !== "true";

// Runs src/main.ts with the permissions in config/rbac/role.yaml only, and fails if a marker is missing.
describe.runIf(isOwnCluster)("with the permissions of its role", () => {
  const environment = new TestEnvironment({
    crdDirectoryPaths: ["config/crd/bases"],
    errorIfCRDPathMissing: false,
  });
  const logger = testLogger(beforeEach);
  let operator: TestedOperator | undefined;

  beforeAll(async () => {
    await environment.start();
    const config = await environment.addUser("manager", [], { rolePaths: ["config/rbac/role.yaml"] });
    operator = await startOperator(() => import("../src/main.ts"), { config, logger });
  }, 120_000);

  afterAll(async () => {
    await operator?.stop();
    await environment.stop();
  }, 120_000);

  it("reconciles and deletes the samples", async () => {
    const samples = await environment.createObjects(["config/samples"]);
    await operator?.settled(samples);
    // It doesn't wait, because an external system that isn't running can keep them.
    await environment.deleteObjects(samples, { timeout: 0 });
    await operator?.settled();
  }, 180_000);
});
