// The embedded server must respond to valid and invalid objects of built-in kinds as the real server does.

import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import type { Json } from "@kubewright/cel/json";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allKinds } from "./cases/index.ts";
import known from "./known-differences.json" with { type: "json" };
import { type Send, writesOf } from "./send.ts";
import { inProcess, overHttps } from "./servers.ts";

const environment = new TestEnvironment({ engine: "binaries" });
let server: ApiServer;
let real: Send;

beforeAll(async () => {
  real = overHttps(await environment.start());
  server = await startApiServer({ http: false, controllers: { garbageCollector: false, namespace: false } });
});

afterAll(async () => {
  await server?.stop();
  await environment.stop();
});

for (const [index, cases] of allKinds.entries()) {
  const kind = `${cases.object.apiVersion} ${cases.object.kind}`;
  it(`the embedded server responds to writes of ${kind} as the real server does`, async () => {
    const ours = inProcess(server);
    const different: Record<string, [Json, Json]> = {};
    for (const { name, run } of writesOf(cases, `k${index}n`)) {
      const [expected, actual] = [await run(real), await run(ours)];
      if (JSON.stringify(expected) !== JSON.stringify(actual)) different[name] = [expected, actual];
    }
    const expected = new Set((known as Record<string, string[]>)[kind] ?? []);
    const unknown = Object.fromEntries(Object.entries(different).filter(([name]) => !expected.has(name)));
    expect(unknown).toEqual({});
    expect([...expected].filter((name) => different[name] === undefined)).toEqual([]);
  });
}
