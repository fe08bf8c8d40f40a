import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patchOf, review, startServer, type TestServer } from "../server.fixture.ts";
import { ticket } from "../ticket.fixture.ts";
import { multiMutatingHandler, multiValidatingHandler } from "./multi.ts";
import { allowed, denied, patched, withWarnings } from "./response.ts";
import type { AdmissionHandler } from "./types.ts";

let t: TestServer;
const calls: string[] = [];

const adding = (key: string, value: unknown): AdmissionHandler => ({
  handle(_ctx, { object: seen }) {
    calls.push(`${key} sees ${JSON.stringify(seen?.spec)}`);
    return withWarnings(patched("", [{ op: "add", path: `/spec/${key}`, value }]), `added ${key}`);
  },
});

const throwing: AdmissionHandler = {
  handle() {
    throw new Error("not like this");
  },
};

beforeAll(async () => {
  t = await startServer((server) => {
    server.register("/multi/mutate", multiMutatingHandler(adding("a", 1), adding("b", 2)));
    server.register(
      "/multi/denied",
      multiMutatingHandler(adding("a", 1), { handle: () => denied("no") }, adding("b", 2)),
    );
    const warn = (text: string): AdmissionHandler => ({ handle: () => withWarnings(allowed(), text) });
    server.register("/multi/validate", multiValidatingHandler(warn("first"), warn("second")));
    server.register("/multi/throws", multiValidatingHandler(warn("first"), throwing));
  });
});
afterAll(() => t.stop());

const asked = (path: string) =>
  review(t.port, path, { operation: "CREATE", object: ticket("one", { title: "opera" }) } as never);

describe("W6: a handler that combines several handlers", () => {
  it("calls each handler with the same object, and joins patches and warnings", async () => {
    calls.length = 0;
    const answer = await asked("/multi/mutate");
    expect(calls).toEqual(['a sees {"title":"opera"}', 'b sees {"title":"opera"}']);
    expect(patchOf(answer)).toEqual([
      { op: "add", path: "/spec/a", value: 1 },
      { op: "add", path: "/spec/b", value: 2 },
    ]);
    expect(answer.response.warnings).toEqual(["added a", "added b"]);
  });

  it("ends with the first handler that denies", async () => {
    calls.length = 0;
    const { response } = await asked("/multi/denied");
    expect(response).toMatchObject({ allowed: false, status: { code: 403, message: "no" } });
    expect(response.patch).toBeUndefined();
    expect(calls).toHaveLength(1);
    expect((await asked("/multi/throws")).response).toMatchObject({
      allowed: false,
      status: { message: "not like this" },
    });
  });

  it("joins the warnings of validators", async () => {
    expect((await asked("/multi/validate")).response).toMatchObject({ allowed: true, warnings: ["first", "second"] });
  });
});
