// Compares a sample of the recorded responses with a server in this process. `rows.full.test.ts` compares all of them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Authority } from "../../packages/apiserver/src/http/certificates.ts";
import { compare, report } from "./runner/compare.ts";
import { readRows, sampleRows } from "./runner/rows.ts";
import { runScenario } from "./runner/run.ts";
import { openTarget } from "./runner/target.ts";

const rows = sampleRows(readRows("1.37"));
const directory = mkdtempSync(join(tmpdir(), "kubewright-rows-"));
const dataFile = join(directory, "data.jsonl");
const differences = new Map<string, string>();
let server: ApiServer;

beforeAll(async () => {
  const user = { name: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] };
  // The server whose responses were recorded has no controllers.
  const controllers = { garbageCollector: false, namespace: false, storageVersionMigrator: false };
  server = await startApiServer({ controllers, dataFile, tokens: new Map([["admin-token", user]]) });
  const ca = join(directory, "ca.crt");
  writeFileSync(ca, server.caBundle);
  const hookCertificate = new Authority("webhooks", Date.now).issueServing(["127.0.0.1"]);
  const target = await openTarget({ url: server.url, ca, token: "admin-token", hookCertificate });
  const queue = [...rows];
  async function work(): Promise<void> {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const result = compare({ results: row.expected }, await runScenario(target, row));
      differences.set(row.name, result.verdict === "same" ? "" : report(row, result));
    }
  }
  // Not all at once: each row would be slower than the times that its requests contain.
  await Promise.all(Array.from({ length: 8 }, work));
  await target.stop();
});

afterAll(() => rmSync(directory, { recursive: true }));

describe("the same responses as from kube-apiserver", () => {
  it.each(rows.map(({ name }) => name))("%s", (name: string) => {
    expect(differences.get(name)).toBe("");
  });
});

it("a server that starts again reads all objects that were written", async () => {
  await server.stop();
  const again = await startApiServer({ http: false, dataFile });
  const { status } = await again.handle({ method: "GET", url: "/readyz", headers: {} });
  expect(status).toBe(200);
  await again.stop();
});
