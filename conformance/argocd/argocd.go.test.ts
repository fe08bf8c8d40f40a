// The script for Argo CD in the documentation, run by the interpreter that Argo CD uses, beside computeStatus.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { computeStatus, type KStatus } from "@kubewright/runtime";
import { load } from "js-yaml";
import { afterAll, describe, expect, it } from "vitest";
import { RandomObjects } from "../kstatus/objects.ts";

const count = 10_000;
const directory = mkdtempSync(join(tmpdir(), "argocd-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The health in Argo CD for each status of kstatus. An object with a field of the wrong type isn't stored. */
const healthOf: Readonly<Record<Exclude<KStatus, "Unknown">, string>> = {
  InProgress: "Progressing",
  Current: "Healthy",
  Failed: "Degraded",
  Terminating: "Progressing",
};

/** Whether a server can have stored the metadata and the status of an object. */
function isStored({ metadata, status = {} }: Record<string, unknown>): boolean {
  const { generation = 0, deletionTimestamp = "2020-01-02T03:04:05Z" } = (metadata ?? {}) as Record<string, unknown>;
  if (typeof metadata !== "object" || metadata === null) return false;
  const isTime = typeof deletionTimestamp === "string" && /^\d{4}-/.test(deletionTimestamp);
  return isTime && Number.isInteger(generation) && typeof status === "object" && status !== null;
}

/** Returns the script of the how-to. */
function script(): string {
  const page = readFileSync(new URL("../../docs/guides/readiness.md", import.meta.url), "utf8");
  const [, yaml = ""] = /```yaml\n([^`]*resource\.customizations\.health[^`]*)```/.exec(page) ?? [];
  const { data } = load(yaml) as { data: Record<string, string> };
  return data["resource.customizations.health.myapp.example.com_Game"] ?? "";
}

function healths(objects: readonly object[]): { status: string; message: string; error?: string }[] {
  const file = join(directory, "health.lua");
  writeFileSync(file, script());
  const output = execFileSync("go", ["run", ".", file], {
    cwd: join(import.meta.dirname, "oracle"),
    input: objects.map((object) => `${JSON.stringify(object)}\n`).join(""),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("the script for Argo CD", () => {
  it(`has the health of the state that computeStatus returns, for ${count} objects`, () => {
    const random = new RandomObjects(2);
    const objects = Array.from(
      { length: count },
      (): Record<string, unknown> => ({ ...random.next(), apiVersion: "myapp.example.com/v1", kind: "Game" }),
    );
    const valid = objects.filter((object) => isStored(object) && computeStatus(object).status !== "Unknown");
    const answers = healths(valid);
    expect(answers).toHaveLength(valid.length);
    const different = valid.flatMap((object, index) => {
      const { status } = computeStatus(object);
      const expected = healthOf[status as keyof typeof healthOf];
      return answers[index]?.status === expected ? [] : [{ object, status, health: answers[index] }];
    });
    expect(different.slice(0, 3)).toEqual([]);
    for (const health of ["Healthy", "Progressing", "Degraded"]) {
      expect(answers.filter(({ status }) => status === health).length, health).toBeGreaterThan(50);
    }
  });

  it("shows the message of the condition that decides", () => {
    const conditions = [
      { type: "Ready", status: "False", message: "not ready" },
      { type: "Stalled", status: "True", message: "the quota is too small" },
    ];
    const game = { metadata: { generation: 2 }, status: { observedGeneration: 2, conditions } };
    expect(healths([game])).toEqual([{ status: "Degraded", message: "the quota is too small" }]);
  });
});
