// Needs a built checkout, because the manager is bundled as in a scaffolded project.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import type { Results } from "../lib/results.ts";

const checkout = join(import.meta.dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "kubewright-availability-"));
const seconds = 60;

afterAll(() => rmSync(scratch, { recursive: true }));

describe("a manager under all attacks at once", () => {
  it("loses no review and no change, and stays below its memory limit", async ({ task }) => {
    const file = join(scratch, "found.json");
    const args = [
      "--import",
      "tsx",
      "bench/security.ts",
      "--managers",
      "ours",
      "--only",
      "all",
      "--seconds",
      String(seconds),
      "--json",
      file,
    ];
    // The program exits with 1 if a limit is missed. The file then contains the reasons.
    const failed = await promisify(execFile)(process.execPath, args, { cwd: checkout, maxBuffer: 2 ** 26 }).then(
      () => undefined,
      (error: { stderr: string }) => error.stderr,
    );
    const { tables, missed } = JSON.parse(readFileSync(file, "utf8")) as Results;
    expect(tables.flatMap(({ rows }) => rows)).toHaveLength(1);
    // `npm run bench -- --check` compares the latency with its limit.
    const others = missed.filter((text) => !text.includes("p99 of the reviews"));
    expect(others).toEqual([]);
    if (missed.length === 0) expect(failed).toBeUndefined();
    (task.meta as { attempts?: number }).attempts = 500;
  });
});
