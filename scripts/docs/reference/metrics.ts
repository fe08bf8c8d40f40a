import {
  createMetrics,
  type ManagerMetrics,
  type MetricsParts,
} from "../../../packages/runtime/src/metrics/metrics.ts";
import { cell, code, head, madeFrom, prose } from "./markdown.ts";

/** A metric in the reference. */
interface MetricEntry {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** The origin of a metric's name. */
type Origin = "controller-runtime" | "kubewright" | "node";

/** The metrics in a registry: those of prom-client list their labels, our histograms have the labels of their series. */
interface Registered {
  readonly labelNames?: readonly string[];
  get(): Promise<{
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly values: readonly { readonly labels: Readonly<Record<string, unknown>> }[];
  }>;
}

/** Returns every metric of a manager with all metrics enabled, by name. */
async function metricEntries(): Promise<MetricEntry[]> {
  const metrics = await allMetrics({ restClient: true, shards: true });
  // A histogram has labels only after its first series was created.
  const controller = metrics.controller("x");
  controller.reconciled("success", 1);
  controller.queue.depth(0, 1);
  metrics.webhooks.registered("/x");
  metrics.leader("x", true);
  metrics.exchange({ method: "GET", code: "200", host: "x", duration: 1 });
  metrics.requestDetails?.rateLimited("GET", "x", 1);
  metrics.requestDetails?.sent("GET", "x", 1);
  metrics.requestDetails?.received("GET", "x", 1);
  metrics.requestDetails?.retried("GET", "x", "429");
  metrics.requestDetails?.resolved("x", 1);
  const registered = metrics.registry.getMetricsAsArray() as unknown as readonly Registered[];
  const entries = registered.map(async (metric) => {
    const { name, help, type, values } = await metric.get();
    const names = metric.labelNames ?? values.flatMap(({ labels }) => Object.keys(labels));
    return { name, type, help, labels: [...new Set(names)].filter((label) => label !== "le") };
  });
  return (await Promise.all(entries)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function originOf({ name }: Pick<MetricEntry, "name">): Origin {
  if (name.startsWith("kubewright_")) return "kubewright";
  return /^(process|nodejs)_/.test(name) ? "node" : "controller-runtime";
}

async function allMetrics(options: MetricsParts): Promise<ManagerMetrics> {
  const metrics = await createMetrics(options);
  await metrics.addProcessSeries();
  return metrics;
}

/** Returns the options without which a metric doesn't exist, by metric. */
async function optional(): Promise<ReadonlyMap<string, string>> {
  const names = async (options: MetricsParts): Promise<string[]> =>
    (await allMetrics(options)).registry.getMetricsAsArray().map(({ name }) => name);
  const always = new Set(await names({}));
  const options = [
    ["restClientMetrics: true", await names({ restClient: true })],
    ["sharding", await names({ shards: true })],
  ] as const;
  return new Map(
    options.flatMap(([option, all]) =>
      all.filter((name) => !always.has(name)).map((name): [string, string] => [name, option]),
    ),
  );
}

const intro = `A manager serves these metrics at \`/metrics\`. [Monitor an operator](../guides/monitor.md#metrics) shows how to enable them, and the alerts to start with.

Metrics with a name of controller-runtime also have the same type, labels and buckets, so that dashboards and alerts
for operators in Go continue to work. Node's process metrics replace Go's \`go_*\` metrics.

Each manager has its own registry. To add your own metrics, register them with [\`mgr.metrics?.registry\`](../guides/monitor.md#metrics).`;

/** Returns the text of docs/reference/metrics.md. */
export async function metricsReference(): Promise<string> {
  const [entries, asked] = await Promise.all([metricEntries(), optional()]);
  const table = (origin: Origin) => {
    const rows = entries
      .filter((entry) => originOf(entry) === origin)
      .map((entry) => `| ${code(entry.name)} | ${about(entry)} ${typeOf(entry)} |`);
    return ["| Name | Meaning, type and labels |", "|---|---|", ...rows, ""];
  };
  const about = ({ name, help }: MetricEntry) =>
    cell(`${prose(sentence(help))}${asked.has(name) ? ` Only with ${code(asked.get(name)!)}.` : ""}`);
  return [
    ...head("All metrics of an operator, with types and labels. The names are those of controller-runtime."),
    "# Metrics",
    "",
    madeFrom("the registry, packages/runtime/src/metrics/"),
    "",
    intro,
    "",
    "## Metrics of controller-runtime",
    "",
    ...table("controller-runtime"),
    "## Additional metrics",
    "",
    ...table("kubewright"),
    "## Metrics of the process",
    "",
    "The npm package prom-client measures these metrics. They differ between operating systems: this table lists those of Linux.",
    "",
    ...table("node"),
  ].join("\n");
}

function typeOf({ type, labels }: MetricEntry): string {
  return labels.length === 0 ? `*${type}*` : `*${type} by* ${labels.map(code).join(", ")}`;
}

function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
