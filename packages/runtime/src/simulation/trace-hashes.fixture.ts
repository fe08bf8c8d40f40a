// Prints the hash of the events of each seed, one per line. Arguments: the first seed, and the number of seeds.
import { execute } from "./execute.ts";
import { prepare } from "./prepare.ts";
import { noDecisions } from "./schedule/choices.ts";
import { faultNames } from "./schedule/fault-names.ts";
import { shopCrd, shopOperator, shopScenario } from "./shop.fixture.ts";

const [first = 1, count = 1] = process.argv.slice(2).map(Number);
const prepared = prepare({ crds: [shopCrd], kstatus: false, operator: shopOperator, scenario: shopScenario });
const expected = await execute({ prepared, seed: 1, faults: [], decisions: noDecisions });
const lines: string[] = [];
for (let seed = first; seed < first + count; seed++) {
  const { timeline } = await execute({ prepared, seed, faults: faultNames, expected });
  lines.push(`${seed} ${timeline.hash()}`);
}
await prepared.release();
process.stdout.write(`${lines.join("\n")}\n`);
