// For real API modules that are translated from Go, our CRDs must equal controller-gen's. Needs Go and its module
// proxy.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { must, root } from "../../scripts/lib/run.mjs";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-crd-parity-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs the suite, checks that all CRDs are identical, and returns their number. */
async function identical(...flags: string[]): Promise<number> {
  const { stdout } = await must("go", ["run", ".", "run", "-min", "1", "-work", scratch, ...flags], {
    cwd: join(root, "conformance/crd-parity"),
    env: { KUBEWRIGHT: root },
  });
  const summary = /identical (\d+) \/ equal 0 \/ different 0 \/ missing 0 of (\d+) CRDs/.exec(stdout);
  expect(summary?.[1]).toBe(summary?.[2]);
  return Number(summary?.[2]);
}

it("the CRDs of every module are identical to controller-gen's", async () => {
  const { modules } = JSON.parse(readFileSync(join(root, "conformance/crd-parity/modules.json"), "utf8"));
  expect(await identical()).toBeGreaterThanOrEqual(modules.length);
});

/** Small modules of different styles. All of more-modules.json would take too long. */
const sample = ["-config", "more-modules.json", "-only", "flux-kustomize,mcs-api,rabbitmq-topology,volcano"];

it("the CRDs of further modules are identical", async () => {
  expect(await identical(...sample)).toBeGreaterThanOrEqual(24);
});
