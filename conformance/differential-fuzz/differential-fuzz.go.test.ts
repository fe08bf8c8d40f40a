// For random APIs, our CRDs must equal controller-gen's, byte for byte. Needs Go and its module proxy.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fuzz } from "./fuzz.ts";
import { compareNamelessRoles, fuzzRoles, fuzzWebhooks } from "./manifests.ts";
import { controllerGen } from "./reference.ts";
import { report, reportManifests } from "./report.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-fuzz-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const cases = Number(process.env.KUBEWRIGHT_FUZZ_CASES ?? 200);
const newSeed = Number(process.env.KUBEWRIGHT_FUZZ_SEED ?? Date.now() % 2 ** 31);

it.each([1, newSeed])("our CRDs equal controller-gen's, seed %i", async (seed) => {
  const result = await fuzz({ tool: controllerGen(join(scratch, "bin")), scratch, seed, cases: cases / 2 });
  expect(result.differences.length, report(seed, result)).toBe(0);
  expect(result.files).toBeGreaterThan(cases / 4);
  expect(result.unstable.length).toBeLessThan(cases / 10);
});

it.each([
  ["roles", fuzzRoles],
  ["webhooks", fuzzWebhooks],
])("our %s equal controller-gen's, and no permission is lost", async (what, run) => {
  const result = await run({ tool: controllerGen(join(scratch, "bin")), scratch, seed: newSeed, cases });
  expect(result.differences, `seed ${newSeed}: ${reportManifests(what, result)}`).toEqual([]);
  expect(result.undecided).toBeLessThan(cases / 2);
});

it("our roles without a name equal controller-gen's", async () => {
  const { theirs, mine } = await compareNamelessRoles({ tool: controllerGen(join(scratch, "bin")), scratch });
  expect(theirs).toContain("metadata: {}");
  expect(mine).toBe(theirs);
});
