import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@kubewright/cel/json";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

const group = "/apis/flowcontrol.apiserver.k8s.io/v1";
let server: ApiServer;

afterEach(() => server.stop());

async function send(method: string, url: string, body?: JsonObject): Promise<JsonObject> {
  const headers = { "content-type": "application/json" };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  return JSON.parse(
    String((await server.handle({ method, url: group + url, headers, ...content })).body),
  ) as JsonObject;
}

async function names(resource: string): Promise<string[]> {
  const { items } = (await send("GET", `/${resource}`)) as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
}

test("every server has the default FlowSchemas and PriorityLevelConfigurations", async () => {
  server = await startApiServer({ http: false });
  expect(await names("prioritylevelconfigurations")).toHaveLength(8);
  expect(await names("flowschemas")).toEqual(expect.arrayContaining(["catch-all", "exempt", "probes"]));
  const { metadata, ...schema } = (await send("GET", "/flowschemas/exempt")) as { metadata: JsonObject };
  expect(await send("POST", "/flowschemas", { ...schema, metadata: { name: "exempt" } })).toMatchObject({
    message: 'flowschemas.flowcontrol.apiserver.k8s.io "exempt" already exists',
  });
  expect(metadata.annotations).toEqual({ "apf.kubernetes.io/autoupdate-spec": "true" });
});

test("a server with a data file keeps defaults that a user changed and excluded from updates", async () => {
  const directory = mkdtempSync(join(tmpdir(), "flow-control-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const options = { http: false, dataFile: join(directory, "data") } as const;
  server = await startApiServer(options);
  const limited = { nominalConcurrencyShares: 7, limitResponse: { type: "Reject" }, lendablePercent: 0 };
  const changes: [name: string, annotation: string][] = [
    ["system", "false"],
    ["node-high", "true"],
  ];
  for (const [name, annotation] of changes) {
    const level = (await send("GET", `/prioritylevelconfigurations/${name}`)) as { metadata: JsonObject };
    const metadata = { ...level.metadata, annotations: { "apf.kubernetes.io/autoupdate-spec": annotation } };
    const next = { ...level, metadata, spec: { type: "Limited", limited } };
    expect(await send("PUT", `/prioritylevelconfigurations/${name}`, next)).toMatchObject({ spec: { limited } });
  }
  await server.stop();
  server = await startApiServer(options);
  const shares = async (name: string): Promise<unknown> => {
    const { spec } = await send("GET", `/prioritylevelconfigurations/${name}`);
    return (spec as { limited: JsonObject }).limited.nominalConcurrencyShares;
  };
  expect([await shares("system"), await shares("node-high")]).toEqual([7, 40]);
});
