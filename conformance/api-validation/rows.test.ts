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

/**
 * The rows with rules of Kubernetes 1.37 that the embedded server lacks: of projected certificates and trust bundles, reserved names
 * of static configuration, images of volumes, attributes of devices, users of containers, and Pods for Windows.
 */
const lacking = new Set([
  ...[90, 98, 99, 105, 106, 107, 114, 119, 120, 121, 123, 126, 127, 128],
  ...[275, 277, 278, 279, 280, 281, 282, 300, 301, 305, 312, 405, 407, 409],
]);
const numbered = rows.map((row, index) => ({ ...row, number: index + 1, name: `${index + 1}, ${row.row[0].kind}` }));

async function compare({ row, expected, subresource }: (typeof numbered)[number]): Promise<void> {
  expect(await answerTo(row, inProcess(server), subresource)).toEqual(inFixedOrder(expected));
}

it.each(numbered.filter(({ number }) => !lacking.has(number)))("$name", compare);

// A rule that was added fails here until its row leaves the list.
it.fails.each(numbered.filter(({ number }) => lacking.has(number)))("$name, whose rule is missing", compare);
