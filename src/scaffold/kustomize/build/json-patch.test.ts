import { describe, expect, it } from "vitest";
import type { Fields, Value } from "../../../yaml/plain-values.ts";
import { applyJsonPatch } from "./json-patch.ts";

const deployment: Fields = {
  spec: { replicas: 1, args: ["--a", "--b"], "a/b": { "c~d": 9007199254740993n } },
};

describe("a JSON patch", () => {
  it.each<[string, Value[], Fields]>([
    ["adds a field", [{ op: "add", path: "/spec/paused", value: true }], { paused: true }],
    ["adds before an item", [{ op: "add", path: "/spec/args/1", value: "--x" }], { args: ["--a", "--x", "--b"] }],
    ["adds at the end of a list", [{ op: "add", path: "/spec/args/-", value: "--c" }], { args: ["--a", "--b", "--c"] }],
    ["replaces", [{ op: "replace", path: "/spec/replicas", value: 3 }], { replicas: 3 }],
    ["removes an item", [{ op: "remove", path: "/spec/args/0" }], { args: ["--b"] }],
    ["unescapes names", [{ op: "replace", path: "/spec/a~1b/c~0d", value: 1n }], { "a/b": { "c~d": 1n } }],
    ["copies", [{ op: "copy", from: "/spec/args/0", path: "/spec/first" }], { first: "--a" }],
    ["moves", [{ op: "move", from: "/spec/args/0", path: "/spec/args/1" }], { args: ["--b", "--a"] }],
    [
      "tests large integers",
      [
        { op: "test", path: "/spec/a~1b/c~0d", value: 9007199254740993n },
        { op: "add", path: "/spec/x", value: 1 },
      ],
      { x: 1 },
    ],
  ])("%s", (_, patch, changed) => {
    expect(applyJsonPatch(deployment, patch)).toEqual({ spec: { ...(deployment.spec as Fields), ...changed } });
  });

  it.each<[Value, string]>([
    [{ op: "replace", path: "/spec/none", value: 1 }, "replace /spec/none: no matching path, value or operation found"],
    [{ op: "remove", path: "/spec/none" }, "remove /spec/none: no matching path, value or operation found"],
    [{ op: "remove", path: "/spec/args/2" }, "remove /spec/args/2: no matching path, value or operation found"],
    [{ op: "add", path: "/spec/args/3", value: "" }, "add /spec/args/3: no matching path, value or operation found"],
    [{ op: "add", path: "/none/x", value: 1 }, "add /none/x: no matching path, value or operation found"],
    [{ op: "add", path: "/spec/x" }, "add /spec/x: no matching path, value or operation found"],
    [{ op: "copy", from: "/none", path: "/spec/x" }, "copy /spec/x: no matching path, value or operation found"],
    [{ op: "test", path: "/spec/replicas", value: 2 }, "test /spec/replicas: the value is different"],
    [{ op: "erase", path: "/spec" }, "erase /spec: no matching path, value or operation found"],
    [{}, "operation without op : no matching path, value or operation found"],
  ])("reports %j", (step, message) => {
    expect(() => applyJsonPatch(deployment, [step])).toThrow(message);
  });

  it("keeps the object unchanged, and can't reach prototypes", () => {
    const before = structuredClone(deployment);
    applyJsonPatch(deployment, [{ op: "remove", path: "/spec" }]);
    expect(deployment).toEqual(before);
    applyJsonPatch(deployment, [{ op: "add", path: "/__proto__/polluted", value: 1 }]);
    applyJsonPatch(deployment, [{ op: "add", path: "/constructor/prototype/polluted", value: 1 }]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
