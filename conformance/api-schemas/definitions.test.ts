// The definitions of the validation tests in apiextensions must have the same results as in kube-apiserver.
import { readFileSync } from "node:fs";
import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DefinitionRow, verdictOn } from "./definitions.ts";

const file = new URL("../../packages/apiserver/testdata/apiextensions/definitions.jsonl", import.meta.url);
const rows = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as DefinitionRow);
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, warn: () => {} });
});
afterAll(() => server.stop());

/** Names a row by its first message. */
function titleOf({ old, verdict }: DefinitionRow, index: number): string {
  return `${index + 1}, ${old ? "update" : "create"}: ${verdict.errors[0] ?? "accepted"}`;
}

test.each(rows.map((row, index) => [titleOf(row, index), row] as const))("%s", async (_title, row) => {
  const verdict = await verdictOn(row, async (method, path, content) => {
    const { status, headers, body } = await server.handle({
      method,
      url: path,
      headers: { accept: "application/json", "content-type": "application/json" },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    });
    const warnings = [headers.warning ?? []].flat();
    return { status, warnings, body: JSON.parse(String(body)) as JsonObject };
  });
  expect(verdict).toEqual(row.verdict);
});
