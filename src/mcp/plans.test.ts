import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type EncodedOperation, Plans } from "./plans.ts";

const { signal } = new AbortController();
const base64 = (text: string): string => Buffer.from(text).toString("base64");
let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-plans-")));
  writeFileSync(join(root, "PROJECT"), "a\n");
  writeFileSync(join(root, "old.ts"), "old\n");
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true });
});

const operations: readonly EncodedOperation[] = [
  { op: "update", path: "PROJECT", content: base64("a\nb\n") },
  { op: "create", path: "api/new.ts", content: base64("new\n") },
];
const id = (message: string) => expect.objectContaining({ id: message });

describe("a plan", () => {
  it("describes its operations with differences, and writes them once", async () => {
    const plans = new Plans(root);
    const plan = plans.add(operations, "npx scaffold edit", false);
    expect(plan).toMatchObject({ destructive: false, commandLine: "npx scaffold edit" });
    expect(plan.operations[0]?.diff).toBe("--- a/PROJECT\n+++ b/PROJECT\n@@ -1,1 +1,2 @@\n a\n+b\n");
    expect(existsSync(join(root, "api/new.ts"))).toBe(false);
    await plans.apply(plan.id, signal);
    expect(readFileSync(join(root, "PROJECT"), "utf8")).toBe("a\nb\n");
    expect(readFileSync(join(root, "api/new.ts"), "utf8")).toBe("new\n");
    await expect(plans.apply(plan.id, signal)).rejects.toEqual(id("unknown-plan"));
  });

  it("is applied once if two calls come at the same time", async () => {
    const plans = new Plans(root);
    const plan = plans.add(operations, "", false);
    const ends = await Promise.allSettled([plans.apply(plan.id, signal), plans.apply(plan.id, signal)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("is valid for ten minutes", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const plans = new Plans(root);
    const plan = plans.add(operations, "", false);
    expect(Date.parse(plan.expires) - Date.now()).toBe(10 * 60_000);
    vi.advanceTimersByTime(10 * 60_000);
    expect(plans.get(plan.id).id).toBe(plan.id);
    vi.advanceTimersByTime(1);
    expect(() => plans.get(plan.id)).toThrow(id("unknown-plan"));
  });

  it.each<[string, (path: string) => void]>([
    ["changed", () => writeFileSync(join(root, "PROJECT"), "c\n")],
    ["deleted", () => rmSync(join(root, "PROJECT"))],
    [
      "created",
      () => {
        mkdirSync(join(root, "api"));
        writeFileSync(join(root, "api/new.ts"), "mine\n");
      },
    ],
  ])("writes nothing if a file was %s since", async (_, change) => {
    const plans = new Plans(root);
    const plan = plans.add(operations, "", false);
    change(root);
    const project = existsSync(join(root, "PROJECT")) ? readFileSync(join(root, "PROJECT"), "utf8") : undefined;
    await expect(plans.apply(plan.id, signal)).rejects.toEqual(id("plan-outdated"));
    expect(existsSync(join(root, "PROJECT")) ? readFileSync(join(root, "PROJECT"), "utf8") : undefined).toBe(project);
  });

  it("is destructive if it deletes a file, or uses --force", () => {
    const plans = new Plans(root);
    expect(plans.add([{ op: "delete", path: "old.ts" }], "", false).destructive).toBe(true);
    expect(plans.add(operations, "", true).destructive).toBe(true);
  });

  it("writes nothing outside of the project, also through links", () => {
    symlinkSync(tmpdir(), join(root, "link"));
    const plans = new Plans(root);
    for (const path of ["../outside", "/outside", "link/outside"]) {
      expect(() => plans.add([{ op: "create", path, content: "" }], "", false), path).toThrow(id("outside-project"));
    }
  });
});
