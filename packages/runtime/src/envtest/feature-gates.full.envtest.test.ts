import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { TestEnvironment } from "./index.ts";

const selector = "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')";
const path = `/api/v1/namespaces?shardSelector=${encodeURIComponent(selector)}`;

describe.each([true, false])("a test environment with the feature gate ShardedListAndWatch=%s", (gate) => {
  const environment = new TestEnvironment({ apiServerFlags: { "feature-gates": `ShardedListAndWatch=${gate}` } });
  let transport: Transport;

  beforeAll(async () => {
    transport = createTransport(await environment.start());
  });
  afterAll(async () => {
    await transport?.close();
    await environment.stop();
  });

  it(gate ? "selects shards" : "ignores the selector of a shard", async () => {
    const { body } = await transport.request({ method: "GET", path });
    const { metadata } = body as { metadata: object };
    if (gate) expect(metadata).toMatchObject({ shardInfo: { selector } });
    else expect(metadata).not.toHaveProperty("shardInfo");
  });
});

it("a test environment with an unknown feature gate doesn't start", async () => {
  const environment = new TestEnvironment({ apiServerFlags: { "feature-gates": "Foo=true" } });
  await expect(environment.start()).rejects.toThrow(
    /kube-apiserver ended before it was ready \(exit code \d\)[\s\S]*unrecognized feature gate: Foo/,
  );
  await environment.stop();
});
