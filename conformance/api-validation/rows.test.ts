// Objects of Kubernetes' own validation tests that once had another answer than from the real server.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../apiserver/src/index.ts";
import type { Json } from "../../apiserver/src/json/json.ts";
import { inProcess } from "../api-builtin/servers.ts";
import { answerTo, type Row, withSortedCauses } from "./exchange.ts";

const rows = readFileSync(new URL("testdata/rows.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { row: Row; expected: Json });
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, controllers: { garbageCollector: false, namespace: false } });
});

afterAll(() => server?.stop());

it.each(rows.map((one, index) => [`${index + 1}, ${one.row[0].kind}`, one] as const))("%s", async (_name, one) => {
  expect(await answerTo(one.row, inProcess(server))).toEqual(withSortedCauses(one.expected));
});
