// Measures importing the package, compared to Node alone.
import { root } from "../../../scripts/lib/run.mjs";
import { pair } from "../../lib/pair.ts";
import type { Line } from "../lib/report.ts";
import type { Options } from "./options.ts";

/** Not called `import`, which is a keyword. */
export async function importing({ runs }: Options): Promise<Line[]> {
  const node = process.execPath;
  const entry = { command: node, args: ["--input-type=module", "-e", 'import "@kubewright/runtime"'], cwd: root };
  const { a, b, ratio } = await pair(entry, { command: node, args: ["-e", "0"], cwd: root }, 5 * runs);
  process.stderr.write(`  import ${a.toFixed(1)} ms, node -e 0 ${b.toFixed(1)} ms, ratio ${ratio.toFixed(2)}\n`);
  return [
    { what: "importing @kubewright/runtime", unit: "ms", digits: 0, ours: a },
    { what: "the same, against `node -e 0`", digits: 2, ours: ratio, atMost: 2, absolute: true },
  ];
}
