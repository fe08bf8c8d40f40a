// Compares an operator's memory and start with the runtime's HTTP client and with undici, of which only the pool is loaded.
// Both operators are bundled from the same sources, as `npm run build` of a scaffolded project does; in the second one,
// undici-connections.ts replaces connections.ts of the transport. They run in turn with the embedded API server, over TLS.
//
//   node --import tsx bench/transport/operator.ts [--runs 15] [--node PATH]
//
// Prints medians: memory after the first lists and watches, time and processor time from the start of the process to the
// first reconcile. Needs Linux (/proc) and a built checkout.
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Plugin } from "esbuild";
import { root } from "../../scripts/lib/run.mjs";
import { median } from "../lib/statistics.ts";
import { buildOurs, type Operator, startOperator } from "../runtime/lib/operators.ts";
import { type Servers, withServers } from "../runtime/lib/servers.ts";

const { values: flags } = parseArgs({
  options: { runs: { type: "string", default: "15" }, node: { type: "string", default: process.execPath } },
});
/** Time in milliseconds after the first reconcile, in which the start ends. */
const settle = 2000;
const source = join(root, "packages/runtime/src");

/** Bundles the runtime from its sources. */
const fromSources: Plugin = {
  name: "from-sources",
  setup(build) {
    build.onResolve({ filter: /^@kubewright\/runtime$/ }, () => ({ path: join(source, "index.ts") }));
    build.onResolve({ filter: /^@kubewright\/runtime\/api\// }, ({ path }) => ({
      path: join(source, `${path.slice("@kubewright/runtime/".length)}.ts`),
    }));
  },
};
const withUndici: Plugin = {
  name: "with-undici",
  setup(build) {
    build.onResolve({ filter: /^\.\/connections\.ts$/ }, ({ importer }) =>
      importer === join(source, "transport/sender.ts")
        ? { path: join(root, "bench/transport/undici-connections.ts") }
        : undefined,
    );
  },
};

/** MiB. */
interface Memory {
  readonly rss: number;
  readonly pss: number;
  readonly peak: number;
}

function memoryOf(pid: number): Memory {
  const read = (file: string, key: string): number =>
    Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/${file}`, "utf8"))?.[1]) / 1024;
  return { rss: read("status", "VmRSS"), pss: read("smaps_rollup", "Pss"), peak: read("status", "VmHWM") };
}

interface Start extends Memory {
  /** Milliseconds until the first reconcile. */
  readonly first: number;
  /** Milliseconds of processor time until then. */
  readonly cpu: number;
}

async function measure(operator: Operator, { kubeconfig }: Servers, scratch: string): Promise<Start> {
  const running = startOperator(operator, { kubeconfig, scratch });
  try {
    const [at = Number.NaN] = await running.said("first");
    const cpu = running.threadSeconds() * 1000;
    await sleep(settle);
    return { first: at - running.startedAt, cpu, ...memoryOf(running.pid) };
  } finally {
    await running.stop();
  }
}

const scratch = await mkdtemp(join(tmpdir(), "kubewright-bench-"));
try {
  const build = async (name: string, ...plugins: Plugin[]): Promise<Operator> => {
    const { argv, memoryMiB } = await buildOurs(join(scratch, name), plugins);
    return { name, argv: [flags.node, ...argv.slice(1)], memoryMiB };
  };
  const operators = [
    { operator: await build("own", fromSources), starts: [] as Start[] },
    { operator: await build("undici", fromSources, withUndici), starts: [] as Start[] },
  ] as const;
  await withServers(
    async (servers) => {
      await servers.createSamples(1);
      for (const { operator } of operators) await measure(operator, servers, scratch);
      for (let run = 0; run < Number(flags.runs); run++) {
        for (const { operator, starts } of run % 2 === 0 ? operators : operators.toReversed())
          starts.push(await measure(operator, servers, scratch));
      }
    },
    { engine: "embedded" },
  );
  const rows: Record<keyof Start, string> = {
    rss: "RSS, MiB",
    pss: "PSS, MiB",
    peak: "peak RSS, MiB",
    first: "first, ms",
    cpu: "CPU until then, ms",
  };
  for (const [key, title] of Object.entries(rows) as [keyof Start, string][]) {
    const values = ({ starts }: { starts: readonly Start[] }): number[] => starts.map((start) => start[key]);
    const own = values(operators[0]);
    const undici = values(operators[1]);
    const more = median(undici.map((value, run) => value - (own[run] ?? Number.NaN)));
    console.log(
      `${title.padEnd(20)} own ${median(own).toFixed(1)}  undici ${median(undici).toFixed(1)}  more ${more.toFixed(1)}`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
