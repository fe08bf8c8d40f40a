// The objects of Kubernetes' own validation tests get the same answers as from the real server.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../apiserver/src/index.ts";
import { TestEnvironment } from "../../runtime/src/envtest/index.ts";
import { inProcess, overHttps } from "../api-builtin/servers.ts";
import { answerTo, type Row } from "./exchange.ts";
import { extractRows } from "./extract.ts";

const environment = new TestEnvironment({ engine: "binaries" });
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, controllers: { garbageCollector: false, namespace: false } });
}, 120_000);

afterAll(async () => {
  await server?.stop();
  await environment.stop();
});

it("answers as the real server does", async () => {
  const rows = extractRows();
  const real = overHttps(await environment.start());
  const different: { row: Row; expected: unknown; actual: unknown }[] = [];
  let count = 0;
  for (const row of rows) {
    const expected = await answerTo(row, real);
    if (expected === undefined) continue;
    count++;
    const actual = await answerTo(row, inProcess(server));
    if (JSON.stringify(expected) !== JSON.stringify(actual)) different.push({ row, expected, actual });
  }
  expect(count).toBeGreaterThan(3000);
  expect(different).toEqual([]);
}, 1_200_000);
