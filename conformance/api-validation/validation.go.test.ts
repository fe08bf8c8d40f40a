// The embedded server must respond to the objects of Kubernetes' own validation tests as the real server does.
import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inProcess, overHttps } from "../api-builtin/servers.ts";
import { answerTo, type Row, subresources } from "./exchange.ts";
import { extractRows } from "./extract.ts";

const environment = new TestEnvironment({ engine: "binaries" });
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, controllers: { garbageCollector: false, namespace: false } });
});

afterAll(async () => {
  await server?.stop();
  await environment.stop();
});

it("the embedded server responds as the real server does", async () => {
  const rows = extractRows();
  const real = overHttps(await environment.start());
  const different: { row: Row; subresource: string; expected: unknown; actual: unknown }[] = [];
  let count = 0;
  for (const row of rows) {
    const isUpdateOfPod = row[0].kind === "Pod" && row.length === 2;
    for (const subresource of ["", ...(isUpdateOfPod ? subresources : [])]) {
      const expected = await answerTo(row, real, subresource);
      if (expected === undefined) continue;
      count++;
      const actual = await answerTo(row, inProcess(server), subresource);
      if (JSON.stringify(expected) !== JSON.stringify(actual)) different.push({ row, subresource, expected, actual });
    }
  }
  expect(count).toBeGreaterThan(4500);
  expect(different).toEqual([]);
}, 1_200_000);
