// Applies operations and kills itself at a step, as `kill -9` does.
// Usage: killed-apply.ts <root> <operations as JSON> <step> <path>
import { applyPlan } from "../files/apply.ts";
import type { Operation } from "../files/operation.ts";
import { openTree } from "../files/tree.ts";

const [directory = "", operations = "[]", step, path] = process.argv.slice(2);
const { root } = openTree(directory);
const plan = { root, operations: JSON.parse(operations) as Operation[], kept: [], overwritten: [] };
await applyPlan(plan, {
  onStep: (now, at) => {
    if (now === step && at === path) process.kill(process.pid, "SIGKILL");
  },
});
