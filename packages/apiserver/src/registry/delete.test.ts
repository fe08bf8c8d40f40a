import { afterAll, beforeAll, expect, it } from "vitest";
import { goStruct } from "../builtin/codec/go-types.ts";
import { encodeProtobuf } from "../builtin/codec/protobuf.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
let server: ApiServer;

async function send(method: string, url: string, body?: string | Uint8Array, type = "application/json") {
  const headers = { "content-type": type };
  const answer = await server.handle({ method, url, headers, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: JSON.parse(String(answer.body)) };
}

function protobuf(options: object): Uint8Array {
  return encodeProtobuf(goStruct("meta/v1.DeleteOptions"), { kind: "DeleteOptions", ...options });
}

const protobufType = "application/vnd.kubernetes.protobuf";

beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
});
afterAll(() => server.stop());

it.each(["v1", "apps/v1", "example.com/v1"])("reads options in protobuf, in %s", async (apiVersion) => {
  await send("POST", maps, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }));
  const stale = protobuf({ apiVersion, preconditions: { uid: "other" } });
  expect(await send("DELETE", `${maps}/a`, stale, protobufType)).toMatchObject({ status: 409 });
  const dryRun = protobuf({ apiVersion, dryRun: ["All"] });
  expect(await send("DELETE", `${maps}/a`, dryRun, protobufType)).toMatchObject({ status: 200 });
  expect(await send("DELETE", `${maps}/a`, protobuf({ apiVersion }), protobufType)).toMatchObject({ status: 200 });
  expect(await send("GET", `${maps}/a`)).toMatchObject({ status: 404 });
});

it("rejects options in malformed protobuf", async () => {
  const malformed = Buffer.from("k8s\0\xff");
  expect(await send("DELETE", `${maps}/a`, malformed, protobufType)).toMatchObject({ status: 400 });
});
