// Real API modules, translated from Go: our CRDs must be controller-gen's, byte for byte. Needs Go and its module proxy.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { must, root } from "../../scripts/lib/run.mjs";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-crd-parity-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs the suite; the number of CRDs, all of them identical. */
async function identical(...flags: string[]): Promise<number> {
  const { stdout } = await must("go", ["run", ".", "run", "-min", "1", "-work", scratch, ...flags], {
    cwd: join(root, "conformance/crd-parity"),
    env: { KUBEWRIGHT: root },
  });
  const summary = /identical (\d+) \/ equal 0 \/ different 0 \/ missing 0 of (\d+) CRDs/.exec(stdout);
  expect(summary?.[1]).toBe(summary?.[2]);
  return Number(summary?.[2]);
}

it("generates the CRDs of every module as controller-gen does", async () => {
  const { modules } = JSON.parse(readFileSync(join(root, "conformance/crd-parity/modules.json"), "utf8"));
  expect(await identical()).toBeGreaterThanOrEqual(modules.length);
});

const reader = join(root, "conformance/crd-parity/check/with-reader.mjs");

/** Small ones of unlike styles out of more-modules.json, which takes too long as a whole. */
const sample = ["-config", "more-modules.json", "-only", "flux-kustomize,mcs-api,rabbitmq-topology,volcano"];

it.each([
  ["either reader as it thinks best", sample],
  ["the complete reader alone", [...sample, "-cli", `node ${reader} ts-morph`]],
])("generates those of further modules, with %s", async (_, flags) => {
  expect(await identical(...flags)).toBeGreaterThanOrEqual(24);
});
