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

import type { Issuer } from "@kubernetes-models/cert-manager/cert-manager.io/v1";
import { groupVersion, type KubernetesObject } from "@kubewright/runtime";
import { testContext, testLogger } from "@kubewright/runtime/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { IssuerDefaulter } from "./issuer-webhook.ts";

type IssuerObject = Issuer & KubernetesObject;
const IssuerKind = groupVersion("cert-manager.io", "v1").kind<IssuerObject>("Issuer");

const ctx = testContext({ log: testLogger(beforeEach) });

function sample(): IssuerObject {
  return {
    apiVersion: IssuerKind.apiVersion,
    kind: IssuerKind.kind,
    metadata: { name: "sample", namespace: "default" },
  } as IssuerObject;
}

describe("IssuerDefaulter", () => {
  it("sets defaults", async () => {
    const defaulter = new IssuerDefaulter();
    const obj = sample();
    await expect(defaulter.default(ctx, obj)).resolves.toBeUndefined();
    // Add assertions about the defaults that obj must contain now.
  });
});
