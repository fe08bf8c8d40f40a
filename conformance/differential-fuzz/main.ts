// npx tsx conformance/differential-fuzz/main.ts --cases 2000 [--seed N] [--from N] [--shrink N] [--keep DIR]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";
import { fuzzRoles, fuzzWebhooks } from "./manifests.ts";
import { controllerGen } from "./reference.ts";
import { report, reportManifests } from "./report.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    from: { type: "string", default: "0" },
    shrink: { type: "string", default: "3" },
    keep: { type: "string" },
  },
});
const scratch = values.keep ?? mkdtempSync(join(tmpdir(), "kubewright-fuzz-"));
try {
  const seed = Number(values.seed);
  process.stdout.write(`seed ${seed}\n`);
  const tool = controllerGen(join(scratch, "bin"));
  const result = await fuzz({
    tool,
    scratch,
    seed,
    cases: Number(values.cases),
    from: Number(values.from),
    shrink: Number(values.shrink),
    log: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(report(seed, result));
  const manifests = { tool, scratch, seed, cases: Number(values.cases) };
  const others = [await fuzzRoles(manifests), await fuzzWebhooks(manifests)];
  for (const [index, other] of others.entries())
    process.stdout.write(reportManifests(["roles", "webhooks"][index]!, other));
  process.exitCode = [result, ...others].every((each) => each.differences.length === 0) ? 0 : 1;
} finally {
  if (values.keep === undefined) rmSync(scratch, { recursive: true, force: true });
}
