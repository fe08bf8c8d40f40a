import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import type { ProblemError } from "../../project/problem-error.ts";
import { readReplay } from "./read.ts";

const directory = mkdtempSync(join(tmpdir(), "kubewright-replay-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const entry = { step: 1, time: 50, actor: "user", action: "create", object: "A b", revision: "3", detail: "" };
const finding = {
  file: "src/a.simulation.ts",
  test: "works",
  invariant: "one",
  message: "false",
  seed: 7,
  faults: ["stale"],
  timeline: [entry],
};
const report = { schedules: 3, seconds: 0.5, faults: { stale: 1 }, findings: [finding] };

function read(text: string | Uint8Array) {
  const path = join(directory, "findings.json");
  writeFileSync(path, text);
  return readReplay(path, "findings.json");
}

function refused(text: string | Uint8Array): string {
  try {
    read(text);
  } catch (error) {
    const { message, id, hint } = error as ProblemError;
    expect([id, hint]).toEqual(["invalid-replay", "create the file: npx scaffold simulate --json > findings.json"]);
    return message.replace(/^can't replay findings\.json: /, "");
  }
  throw new Error("the file is accepted");
}

it("reads the report of a simulation, and only the keys of its format", () => {
  expect(read(JSON.stringify(report))).toEqual({ source: "findings.json", ...report });
  const more = { ...report, extra: 1, findings: [{ ...finding, html: "<b>", timeline: [{ ...entry, x: {} }] }] };
  expect(read(JSON.stringify(more))).toEqual({ source: "findings.json", ...report });
});

fullTest("reads reports with as many events as a simulation can print", () => {
  // An operator that never stops writing has findings of a megabyte each, and simulations are many.
  const timeline = Array.from({ length: 500 }, (_, step) => ({ ...entry, step, detail: "x".repeat(3500) }));
  const findings = Array.from({ length: 12 }, (_, seed) => ({ ...finding, seed, timeline }));
  const text = JSON.stringify({ ...report, findings });
  expect(text.length).toBeGreaterThan(20 * 1024 * 1024);
  expect(read(text).findings.map((replayFinding) => replayFinding.timeline.length)).toEqual(findings.map(() => 500));
});

describe("other files", () => {
  it.each([
    ["", /JSON/],
    ["{", /JSON/],
    ["null", /^the report: must be an object$/],
    ["[]", /^the report: must be an object$/],
    ["{}", /^faults: must be an object$/],
    [JSON.stringify({ ...report, faults: { stale: "1" } }), /^faults\.stale: must be a number of at least 0$/],
    [JSON.stringify({ ...report, schedules: -1 }), /^schedules: must be a number of at least 0$/],
    ['{"schedules":1e999,"seconds":0,"faults":{},"findings":[]}', /^schedules: must be a number of at least 0$/],
    [JSON.stringify({ ...report, findings: {} }), /^findings: must be an array$/],
    [JSON.stringify({ ...report, findings: [null] }), /^findings\[0\]: must be an object$/],
    [
      JSON.stringify({ ...report, findings: [{ ...finding, invariant: {} }] }),
      /^findings\[0\]\.invariant: must be a string$/,
    ],
    [
      JSON.stringify({ ...report, findings: [{ ...finding, faults: [1] }] }),
      /^findings\[0\]\.faults\[0\]: must be a string$/,
    ],
    [
      JSON.stringify({ ...report, findings: [{ ...finding, timeline: [entry, { ...entry, time: "1" }] }] }),
      /^findings\[0\]\.timeline\[1\]\.time: must be a number of at least 0$/,
    ],
    ["[".repeat(100_000), /./],
    [`${JSON.stringify(report).slice(0, -1)},"x":${"[".repeat(5000)}${"]".repeat(5000)}}`, /./],
    [new Uint8Array(17 * 1024 * 1024).fill(0x20), /JSON/],
  ])("are rejected with the reason in one line: case %#", (text, reason) => {
    const message = refused(text);
    expect(message).toMatch(reason);
    expect(message.split("\n")).toHaveLength(1);
  });

  it("are rejected if they are too long, with a hint that makes them shorter", () => {
    const path = join(directory, "long.json");
    writeFileSync(path, "");
    truncateSync(path, 2 ** 32);
    expect(() => readReplay(path, "long.json")).toThrow(
      expect.objectContaining({
        message: "can't replay long.json: it has 4294967296 bytes, and the limit is 268435456",
        hint: "replay one schedule: npx scaffold simulate --seed NUMBER --json > findings.json",
      }),
    );
  });

  it("are rejected if they don't exist or are directories", () => {
    expect(() => readReplay(join(directory, "none"), "none")).toThrow("can't replay none: the file doesn't exist");
    expect(() => readReplay(directory, "x\u001b[2J")).toThrow("can't replay x\\u001b[2J: it is a directory");
  });

  it("can contain __proto__ as the name of a field", () => {
    const text = JSON.stringify(report).replace('"stale":1', '"__proto__":2');
    const { faults } = read(text);
    expect(Object.keys(faults)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(faults)).toBe(Object.prototype);
  });
});
