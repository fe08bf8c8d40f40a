// Compares a sample of the recorded responses with a server in this process. `rows.full.test.ts` compares all of them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Authority } from "../../apiserver/src/http/certificates.ts";
import { type ApiServer, startApiServer } from "../../apiserver/src/index.ts";
import knownDifferences from "./known-differences.json" with { type: "json" };
import { compare, report } from "./runner/compare.mjs";
import { readRows, sampleRows } from "./runner/rows.mjs";
import { runScenario } from "./runner/run.mjs";
import { openTarget } from "./runner/target.mjs";

interface Row {
  readonly name: string;
  readonly expected: unknown;
}

const known: Readonly<Record<string, string>> = knownDifferences;
const rows: Row[] = sampleRows(readRows().filter(({ name }: { name: string }) => known[name] === undefined));
const directory = mkdtempSync(join(tmpdir(), "kubewright-rows-"));
const differences = new Map<string, string>();
let server: ApiServer;

beforeAll(async () => {
  const user = { name: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] };
  // The server whose responses were recorded has no controllers.
  const controllers = { garbageCollector: false, namespace: false };
  server = await startApiServer({ controllers, tokens: new Map([["admin-token", user]]) });
  const ca = join(directory, "ca.crt");
  writeFileSync(ca, server.caBundle);
  const hookCertificate = new Authority("webhooks", Date.now).issueServing(["127.0.0.1"]);
  const target = await openTarget({ url: server.url, ca, token: "admin-token", hookCertificate });
  await Promise.all(
    rows.map(async (row) => {
      const result = compare({ results: row.expected }, await runScenario(target, row));
      differences.set(row.name, result.verdict === "same" ? "" : report(row, result));
    }),
  );
  await target.stop();
});

afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

describe("the same responses as from kube-apiserver", () => {
  it.each(rows.map(({ name }) => name))("%s", (name: string) => {
    expect(differences.get(name)).toBe("");
  });
});
