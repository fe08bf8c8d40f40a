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

import { Pod } from "@kubewright/runtime/api/core/v1";
import { testContext, testLogger } from "@kubewright/runtime/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { PodValidator } from "./pod-webhook.ts";

const ctx = testContext({ log: testLogger(beforeEach) });

function sample(): Pod {
  return {
    apiVersion: Pod.apiVersion,
    kind: Pod.kind,
    metadata: { name: "sample", namespace: "default" },
  } as Pod;
}

describe("PodValidator", () => {
  const validator = new PodValidator();

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
