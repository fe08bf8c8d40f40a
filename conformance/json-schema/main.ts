import { compareVerdicts } from "../../src/generate/jsonschema/test-support/verdicts.ts";
import type { CustomResourceDefinition } from "../../src/kubernetes/custom-resource-definition.ts";
import { crdsBelow } from "../from-crd/crds.ts";

const directory = process.env.CRDS_DIR;
if (directory === undefined || directory === "") {
  console.log("skipped conformance/json-schema: set CRDS_DIR to a directory with CustomResourceDefinitions");
  process.exit(0);
}
const count = Number(process.argv[2] ?? 20);
const total = { crds: 0, valid: 0, invalid: 0, differences: 0 };
for (const { name, file, text, refusals } of crdsBelow(directory)) {
  if (refusals.length > 0) continue;
  const crd = JSON.parse(text) as CustomResourceDefinition;
  if (!crd.spec.versions.some(({ served }) => served)) continue;
  total.crds++;
  const { valid, invalid, differences } = await compareVerdicts(crd, { seed: total.crds, count });
  total.valid += valid;
  total.invalid += invalid;
  total.differences += differences.length;
  for (const difference of differences.slice(0, 2)) console.log(name, file, JSON.stringify(difference));
}
console.log(
  `${total.crds} definitions, ${total.valid} valid and ${total.invalid} invalid objects, ${total.differences} differences`,
);
process.exitCode = total.differences === 0 ? 0 : 1;
