// What the cases say that controller-gen does, it does.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const checkedIn = join(import.meta.dirname, "../../testdata/webhook/cases.jsonl");

it("has the results that controller-gen gives", () => {
  const scratch = mkdtempSync(join(tmpdir(), "kubewright-webhook-cases-"));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const copy = join(scratch, "cases.jsonl");
  copyFileSync(checkedIn, copy);
  execFileSync("go", ["run", ".", "-cases", copy], { cwd: import.meta.dirname, stdio: "ignore" });
  expect(readFileSync(copy, "utf8"), "run `go run .` in hack/webhook-cases").toBe(readFileSync(checkedIn, "utf8"));
});
