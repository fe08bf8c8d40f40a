import { comparisonChart } from "./benchmark-chart.ts";
import { type Measurement, measuredOn, measurements } from "./benchmark-numbers.ts";
import { head, madeFrom } from "./markdown.ts";

/** Returns the pages about benchmarks: six numbers and a chart of them. */
export function benchmarkPages(): [path: string, text: string][] {
  const all = measurements();
  return [
    ["benchmarks.md", page(all)],
    ["benchmarks.svg", comparisonChart(all)],
  ];
}

function page(all: readonly Measurement[]): string {
  return [
    ...head(
      "The performance of kubewright compared with controller-gen and controller-runtime: time, memory and throughput in six measurements.",
    ),
    "# Benchmarks",
    "",
    madeFrom("bench/results.md, which `npm run bench` writes"),
    "",
    "The benchmarks compare the time, the memory and the throughput of kubewright with those of its counterparts in Go. The generators read the same API. The operators, one in each language, do the same work with the same API server, and run alternately on the same machine.",
    "",
    `Measured on ${measuredOn()}:`,
    "",
    "| Measurement | kubewright | Go | Cost compared with Go | Counterpart |",
    "|---|---:|---:|---|---|",
    ...all.map(
      ({ name, ours, theirs, peer, ratio }) => `| ${name} | ${ours} | ${theirs} | ${comparison(ratio)} | ${peer} |`,
    ),
    "",
    `![${chartText(all)}](benchmarks.svg)`,
    "",
    "Costs are time, memory, or CPU time per operation, so less is better. Measurements in turn are compared by the median of their ratios, which can differ from the quotient of both values. Absolute values depend on the machine, so compare the ratios. To reduce the memory of your operator, see [using less memory](../concepts/cache.md#using-less-memory).",
    "",
    "[All results](../../bench/results.md) contain the method, the limits that each run checks, start-up times, attacks, and two hours under faults. To repeat the measurements, run `npm run bench` in the repository.",
    "",
  ].join("\n");
}

function comparison(ratio: number): string {
  return ratio <= 1 ? `${Math.round((1 - ratio) * 100)} % less` : `${Math.round((ratio - 1) * 100)} % more`;
}

function chartText(all: readonly Measurement[]): string {
  return `Cost of kubewright divided by the cost in Go. ${all.map(({ name, ratio }) => `${name}: ${ratio.toFixed(2)}`).join("; ")}`;
}
