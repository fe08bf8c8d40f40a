// Imports every CRD below CRDS_DIR, generates it from the types, and prints which ones are the same. See README.md.
import { crdsOfCommand, tryCrd } from "./crds.ts";

const crds = crdsOfCommand().filter(({ refusals }) => refusals.length === 0);
const rows = new Map<string, { same: number; listed: number; not: number }>();
const started = performance.now();
for (const crd of crds) {
  const { verdict, details } = await tryCrd(crd);
  const row = rows.get(crd.source) ?? { same: 0, listed: 0, not: 0 };
  row[verdict]++;
  rows.set(crd.source, row);
  if (verdict !== "not") continue;
  console.log(`not: ${crd.file} ${crd.name}`);
  for (const line of details.slice(0, 5)) console.log(`  ${line}`);
  if (details.length > 5) console.log(`  ${details.length - 5} more`);
}

console.log("| Source | CRDs | Same | Listed | Not |\n|---|---|---|---|---|");
const total = { same: 0, listed: 0, not: 0 };
for (const [source, { same, listed, not }] of rows) {
  console.log(`| ${source} | ${same + listed + not} | ${same} | ${listed} | ${not} |`);
  total.same += same;
  total.listed += listed;
  total.not += not;
}
console.log(`| all | ${crds.length} | ${total.same} | ${total.listed} | ${total.not} |`);
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exit(total.not === 0 ? 0 : 1);
