import { describe, expect, it } from "vitest";
import type { Request } from "../reconcile/request.ts";
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
  ["an error with an unreadable message", Object.defineProperty(new Error("x"), "message", { get: fails })],
  ["an error with an unreadable cause", Object.defineProperty(new Error("x"), "cause", { get: fails })],
  ["an error with an unreadable stack", Object.defineProperty(new TypeError("x"), "stack", { get: fails })],
  ["an object that can't be converted to a string", { toJSON: fails, toString: fails }],
  ["an object without a prototype", Object.create(null)],
  ["a symbol", Symbol("x")],
  ["a promise that never settles", new Promise(() => {})],
];

describe("errors that throw when they are read", () => {
  it.each(hostile)("don't stop the controller of the reconciler that throws %s", async (_, value) => {
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
