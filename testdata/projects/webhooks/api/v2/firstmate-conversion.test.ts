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

import { expect, it } from "vitest";
import { FirstMate as Hub } from "../v1/firstmate-types.ts";
import { spoke } from "./firstmate-conversion.ts";
import { FirstMate } from "./firstmate-types.ts";

// Set all fields of both objects, also of the status, so that the tests detect fields that a conversion loses.
// A conversion may add annotations.

it("converts v2 to v1 and back without loss", async () => {
  const obj: FirstMate = {
    apiVersion: FirstMate.apiVersion,
    kind: FirstMate.kind,
    metadata: { name: "sample", labels: { a: "b" } },
    spec: { foo: "bar" },
  };
  const back = await spoke.fromHub(await spoke.toHub(obj));
  expect(back).toMatchObject({ ...obj, apiVersion: back.apiVersion });
  expect(back.spec).toEqual(obj.spec);
});

it("converts v1 to v2 and back without loss", async () => {
  const hub: Hub = {
    apiVersion: Hub.apiVersion,
    kind: Hub.kind,
    metadata: { name: "sample", labels: { a: "b" } },
    spec: { foo: "bar" },
  };
  const back = await spoke.toHub(await spoke.fromHub(hub));
  expect(back).toMatchObject({ ...hub, apiVersion: back.apiVersion });
  expect(back.spec).toEqual(hub.spec);
});

it("converts objects without their fields, which server-side apply sends", async () => {
  const obj = {
    apiVersion: FirstMate.apiVersion,
    kind: FirstMate.kind,
    metadata: { name: "sample" },
  } as FirstMate;
  const hub = {
    apiVersion: Hub.apiVersion,
    kind: Hub.kind,
    metadata: { name: "sample" },
  } as Hub;
  expect((await spoke.toHub(obj)).metadata?.name).toBe("sample");
  expect((await spoke.fromHub(hub)).metadata?.name).toBe("sample");
});
