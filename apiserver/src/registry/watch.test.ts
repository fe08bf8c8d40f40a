import { BinaryReader } from "@bufbuild/protobuf/wire";
import { expect, it } from "vitest";
import { decodeProtobuf } from "../builtin/codec/protobuf.ts";
import { structOfApiVersion } from "../builtin/resources.ts";
import { startApiServer } from "../server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

it("ends with 410 when the server returns to a past state", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  const headers = { "content-type": "application/json" };
  const create = (name: string) =>
    server.handle({ method: "POST", url: maps, headers, body: JSON.stringify({ metadata: { name } }) });
  const past = server.revision;
  await create("a");
  await create("b");
  const url = `${maps}?watch=true&resourceVersion=${server.revision}`;
  const { stream } = await server.handle({ method: "GET", url, headers: {} });
  const events: string[] = [];
  const ended = (async () => {
    for await (const text of stream ?? []) events.push(String(text));
  })();
  await new Promise((resolve) => setImmediate(resolve));
  // The watch has seen later revisions than this one, and must not wait until they come again.
  server.restore(past);
  await create("c");
  await ended;
  expect(events.map((text) => JSON.parse(text))).toMatchObject([
    { type: "ERROR", object: { code: 410, reason: "Expired" } },
  ]);
  await server.stop();
});

it("sends length-prefixed protobuf to clients that prefer it", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { name: "a" }, data: { key: "value" } });
  await server.handle({ method: "POST", url: maps, headers, body });
  const accept = "application/vnd.kubernetes.protobuf;stream=watch,application/json";
  const url = `${maps}?watch=true&fieldSelector=metadata.name=a`;
  const answer = await server.handle({ method: "GET", url, headers: { accept } });
  expect(answer.headers["content-type"]).toBe("application/vnd.kubernetes.protobuf;stream=watch");
  let chunk: Buffer | undefined;
  for await (const first of answer.stream ?? []) {
    chunk = first as Buffer;
    break;
  }
  const bytes = chunk as Buffer;
  expect(bytes.readUInt32BE(0)).toBe(bytes.length - 4);
  const reader = new BinaryReader(bytes.subarray(4));
  reader.tag();
  expect(reader.string()).toBe("ADDED");
  reader.tag();
  const raw = new BinaryReader(reader.bytes());
  raw.tag();
  const { kind, metadata, data } = decodeProtobuf(raw.bytes(), structOfApiVersion);
  expect({ kind, metadata, data }).toMatchObject({
    kind: "ConfigMap",
    metadata: { name: "a" },
    data: { key: "value" },
  });
  await server.stop();
});
