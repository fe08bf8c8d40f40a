import { describe, expect, it } from "vitest";
import type { Request } from "../request.ts";
import { setUp } from "./controller.fixture.ts";

const revoked = Proxy.revocable(new Error("x"), {});
revoked.revoke();
const circle = new Error("circle");
circle.cause = circle;
const fails = (): never => {
  throw new Error("unreadable");
};

/** Values that throw when they are read. */
const hostile: [name: string, value: unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a revoked proxy", revoked.proxy],
  ["an error that is its own cause", circle],
  ["an error whose message can't be read", Object.defineProperty(new Error("x"), "message", { get: fails })],
  ["an error whose cause can't be read", Object.defineProperty(new Error("x"), "cause", { get: fails })],
  ["an error whose stack can't be read", Object.defineProperty(new TypeError("x"), "stack", { get: fails })],
  ["an object that can't become text", { toJSON: fails, toString: fails }],
  ["an object without prototype", Object.create(null)],
  ["a symbol", Symbol("x")],
  ["a promise that never settles", new Promise(() => {})],
];

describe("errors that can't be read", () => {
  it.each(hostile)("from a reconciler don't stop its controller: %s", async (_, value) => {
    const done: string[] = [];
    const t = setUp({
      reconcile: async ({ log }, { name }: Request) => {
        if (name === "bad") {
          log.error(value, "x", { value });
          throw value;
        }
        done.push(name);
      },
    });
    const running = t.begin();
    await t.clock.advance(0);
    t.add({ namespace: "", name: "bad" });
    t.add({ namespace: "", name: "good" });
    await t.clock.advance(10);
    expect(done).toEqual(["good"]);
    expect(t.counts.error).toBeGreaterThan(0);
    t.stop.abort();
    await running;
  });
});
