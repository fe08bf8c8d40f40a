// Real API modules, translated from Go: our CRDs must be controller-gen's, byte for byte. Needs Go and its module proxy.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "kubewright-crd-parity-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("generates the CRDs of every module as controller-gen does", async () => {
  const { stdout } = await promisify(execFile)("go", ["run", ".", "run", "-min", "1", "-work", scratch], {
    cwd: join(root, "hack/crd-parity"),
    env: { ...process.env, KUBEWRIGHT: root },
    maxBuffer: 2 ** 26,
  });
  const { modules } = JSON.parse(readFileSync(join(root, "hack/crd-parity/modules.json"), "utf8"));
  const summary = /identical (\d+) \/ equal 0 \/ different 0 \/ missing 0 of (\d+) CRDs/.exec(stdout);
  expect(summary?.[1]).toBe(summary?.[2]);
  expect(Number(summary?.[2])).toBeGreaterThanOrEqual(modules.length);
});
