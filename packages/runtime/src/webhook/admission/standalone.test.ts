import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../log/logger.ts";
import { patchResponseFromRaw } from "./patch-response.ts";
import { denied } from "./response.ts";
import { standaloneWebhook } from "./standalone.ts";

describe("standaloneWebhook", () => {
  it("responds to reviews on another server", async () => {
    const handler = { handle: () => denied("not today") };
    const server = createServer(standaloneWebhook(handler, { logger: silentLogger }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const answer = await fetch(`http://127.0.0.1:${port}/anywhere`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: { uid: "u" } }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      response: { uid: "u", allowed: false, status: { code: 403, message: "not today" } },
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("patchResponseFromRaw", () => {
  it("accepts text, bytes and values", () => {
    const patches = [{ op: "replace", path: "/a", value: 2 }];
    expect(patchResponseFromRaw('{"a":1}', '{"a":2}')).toMatchObject({ allowed: true, patches });
    expect(patchResponseFromRaw(Buffer.from('{"a":1}'), { a: 2 })).toMatchObject({ allowed: true, patches });
    expect(patchResponseFromRaw({ a: 1 }, { a: 1 }).patches).toBeUndefined();
  });

  it("denies the request for invalid JSON", () => {
    expect(patchResponseFromRaw("{", "{}")).toMatchObject({ allowed: false, status: { code: 500 } });
  });
});
