// Objects of Kubernetes' own validation tests to which the embedded server once responded differently than the real
// server, and additional objects for gaps of those tests, such as templates of Pods.
import { readFileSync } from "node:fs";
import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import type { Json } from "@kubewright/cel/json";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inProcess } from "../api-builtin/servers.ts";
import { answerTo, type Row } from "./exchange.ts";
import { inFixedOrder } from "./order.ts";

const rows = ["rows.jsonl", "pods.jsonl"]
  .flatMap((name) =>
    readFileSync(new URL(`testdata/${name}`, import.meta.url), "utf8")
      .trim()
      .split("\n"),
  )
  .map((line) => JSON.parse(line) as { row: Row; expected: Json; subresource?: string });
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, controllers: { garbageCollector: false, namespace: false } });
});

afterAll(() => server?.stop());

const numbered = rows.map((row, index) => ({ ...row, name: `${index + 1}, ${row.row[0].kind}` }));

it.each(numbered)("$name", async ({ row, expected, subresource }) => {
  expect(await answerTo(row, inProcess(server), subresource)).toEqual(inFixedOrder(expected));
});
