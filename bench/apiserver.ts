// Compares the embedded API server with etcd and kube-apiserver, over TLS and in the same run:
//   node --import tsx bench/apiserver.ts [--rounds N] [--objects N] [--watchers N]
// Start, latency and throughput of requests, lists, watches, memory, and a definition with 200 fields. Each server runs in
// its own process, which this program sends the requests to. Needs Linux, a built checkout, and the servers if available.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Config } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { root } from "../scripts/lib/run.mjs";
import { testServers } from "../scripts/lib/test-servers.mjs";
import { Client, connections, startEmbedded } from "./lib/embedded-server.ts";
import { inParallel } from "./lib/parallel.ts";
import { processUsage } from "./lib/process.ts";
import { absent, chart, mebibytes, missed, ms, samples, table, times } from "./lib/results.ts";
import { elapsed, median } from "./lib/statistics.ts";

const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    objects: { type: "string", default: "10000" },
    watchers: { type: "string", default: "1000" },
    json: { type: "string" },
  },
});
const count = Number(flags.objects);
const watchers = Number(flags.watchers);
const requests = 500;
const path = "/api/v1/namespaces/default/configmaps";

/** The limits of the embedded server: milliseconds, MiB, or a ratio. */
const limits: Readonly<Record<string, number>> = {
  "ready in process": 50,
  ready: 300,
  "create p50": 1,
  "get p50": 1,
  "idle, MiB": 90,
  "memory per object / its JSON": 3,
};

/** The measurements of a server, by their names. */
type Measurements = Record<string, number>;

const configMap = (name: string, value: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { app: "bench" } },
  data: { value, text: "x".repeat(100) },
});

const verbs: Readonly<Record<string, (client: Client, name: string) => Promise<unknown>>> = {
  create: (client, name) => client.send("POST", path, configMap(name, "0")),
  get: (client, name) => client.send("GET", `${path}/${name}`),
  update: (client, name) => client.send("PUT", `${path}/${name}`, configMap(name, "1")),
  patch: (client, name) =>
    client.send("PATCH", `${path}/${name}`, { data: { value: "2" } }, "application/merge-patch+json"),
  apply: (client, name) =>
    client.send(
      "PATCH",
      `${path}/${name}?fieldManager=bench&force=true`,
      configMap(name, "3"),
      "application/apply-patch+yaml",
    ),
};

/** Measures each verb: one request after the other, then by ten workers. Returns the median in ms and requests per second. */
async function measureVerbs(client: Client): Promise<Record<string, { p50: number; perSecond: number }>> {
  const result: Record<string, { p50: number; perSecond: number }> = {};
  for (const [verb, send] of Object.entries(verbs)) {
    const latencies: number[] = [];
    for (let i = 0; i < requests; i++) latencies.push(await elapsed(() => send(client, `one-${i}`)));
    const time = await elapsed(() => inParallel(requests * 4, connections, (i) => send(client, `many-${i}`)));
    result[verb] = { p50: median(latencies), perSecond: (requests * 4) / (time / 1000) };
  }
  return result;
}

async function measureLists(client: Client): Promise<Measurements> {
  await inParallel(count, connections, (i) => client.send("POST", path, configMap(`list-${i}`, "0")));
  const list = async (query: string): Promise<number> => {
    const all: number[] = [];
    for (let i = 0; i < 5; i++) all.push(await elapsed(() => client.send("GET", `${path}${query}`)));
    return median(all);
  };
  return { "list 500": await list("?limit=500"), [`list ${count}`]: await list("") };
}

/** Returns the events per second that the watchers receive together. */
async function measureWatchers(client: Client): Promise<number> {
  let events = 0;
  const changes = 20;
  const stops: (() => void)[] = [];
  const url = "/api/v1/namespaces/default/secrets?watch=true&resourceVersion=0";
  for (let i = 0; i < watchers; i += 50) {
    const batch = Array.from({ length: 50 }, () => client.watch(url, () => events++));
    stops.push(...(await Promise.all(batch)));
  }
  const before = events;
  const time = await elapsed(async () => {
    for (let i = 0; i < changes; i++) {
      const metadata = { name: `seen-${i}` };
      await client.send("POST", "/api/v1/namespaces/default/secrets", { apiVersion: "v1", kind: "Secret", metadata });
    }
    while (events - before < changes * watchers) await sleep(5);
  });
  for (const stop of stops) stop();
  return (changes * watchers) / (time / 1000);
}

/** Returns the time until a definition with 200 fields is served, and the median time of a create. */
async function measureDefinition(client: Client): Promise<{ served: number; create: number }> {
  const field = (i: number) => [
    `field${i}`,
    { type: "object", properties: { value: { type: "string", maxLength: 64 } } },
  ];
  const spec = { type: "object", properties: Object.fromEntries(Array.from({ length: 200 }, (_, i) => field(i))) };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "larges.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "larges", singular: "large", kind: "Large" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
  const served = await elapsed(async () => {
    await client.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    for (;;) {
      const isServed = await client.send("GET", "/apis/example.com/v1/larges").then(
        () => true,
        () => false,
      );
      if (isServed) break;
      await sleep(5);
    }
  });
  const values = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`field${i}`, { value: `${i}` }]));
  const latencies: number[] = [];
  for (let i = 0; i < 200; i++) {
    const object = { apiVersion: "example.com/v1", kind: "Large", metadata: { name: `l-${i}` }, spec: values };
    latencies.push(await elapsed(() => client.send("POST", "/apis/example.com/v1/namespaces/default/larges", object)));
  }
  return { served, create: median(latencies) };
}

function usage(pids: readonly number[]): { cpuSeconds: number; rssMiB: number } {
  const all = pids.map((pid) => processUsage(pid));
  const sum = (key: "cpuSeconds" | "rssMiB"): number => all.reduce((total, usage) => total + usage[key], 0);
  return { cpuSeconds: sum("cpuSeconds"), rssMiB: sum("rssMiB") };
}

interface RunningServer {
  readonly config: Config;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

const start = {
  async embedded(): Promise<RunningServer> {
    const { pid, ...server } = await startEmbedded();
    return { ...server, pids: [pid] };
  },
  async binaries(): Promise<RunningServer> {
    const environment = new TestEnvironment({ engine: "binaries" });
    const config = await environment.start();
    const { etcd, apiServer } = environment.pids;
    if (etcd === undefined || apiServer === undefined) throw new Error("the servers don't run");
    return { config, pids: [etcd, apiServer], stop: () => environment.stop() };
  },
};
type Engine = keyof typeof start;

async function measure(engine: Engine): Promise<Measurements> {
  const began = performance.now();
  const { config, pids, stop } = await start[engine]();
  const ready = performance.now() - began;
  const client = new Client(config);
  try {
    await sleep(2000);
    const idle = usage(pids);
    const byVerb = await measureVerbs(client);
    const afterVerbs = usage(pids);
    const lists = await measureLists(client);
    const full = usage(pids);
    const definition = await measureDefinition(client);
    const fanOut = await measureWatchers(client);
    return {
      ready,
      ...Object.fromEntries(Object.entries(byVerb).map(([verb, { p50 }]) => [`${verb} p50`, p50])),
      ...Object.fromEntries(Object.entries(byVerb).map(([verb, { perSecond }]) => [`${verb}/s`, perSecond])),
      ...lists,
      "watch events/s": fanOut,
      "definition served": definition.served,
      "large create p50": definition.create,
      "idle, MiB": idle.rssMiB,
      [`with ${count} objects, MiB`]: full.rssMiB,
      "CPU per request": ((afterVerbs.cpuSeconds - idle.cpuSeconds) * 1000) / (requests * 5 * 5),
    };
  } finally {
    client.close();
    await stop();
  }
}

/** The results of apiserver/in-process.mjs. */
interface InProcess {
  readonly ready: number;
  readonly perObject: number;
}

function measureInProcess(): InProcess {
  const program = join(root, "bench/apiserver/in-process.mjs");
  return JSON.parse(execFileSync(process.execPath, ["--expose-gc", program], { encoding: "utf8" })) as InProcess;
}

const format = (name: string, value: number | undefined): string => {
  if (value === undefined) return "–";
  if (name.endsWith("MiB")) return mebibytes(value);
  if (name.endsWith("/s")) return value.toFixed(0);
  if (name.endsWith("JSON")) return times(value);
  return value < 20 ? `${value.toFixed(2)} ms` : ms(value);
};

const assets = await testServers();
if (assets !== undefined) process.env.KUBEBUILDER_ASSETS = assets;
else absent("etcd and kube-apiserver aren't available: only the embedded server is measured");
const engines: readonly Engine[] = assets === undefined ? ["embedded"] : ["embedded", "binaries"];
const results: Record<Engine, Measurements[]> = { embedded: [], binaries: [] };
for (let round = 0; round < Number(flags.rounds); round++) {
  for (const engine of engines) results[engine].push(await measure(engine));
}
const alone = Array.from({ length: 5 }, measureInProcess);
samples({ ...results, alone });
const resultOf = (engine: Engine, name: string): number =>
  median(results[engine].map((measured) => measured[name] ?? Number.NaN));

interface Row {
  readonly name: string;
  readonly ours: number;
  readonly real?: number;
  readonly ratio?: number;
}
const rows: Row[] = Object.keys(results.embedded[0] ?? {}).map((name) => {
  const ours = resultOf("embedded", name);
  if (assets === undefined) return { name, ours };
  const real = resultOf("binaries", name);
  return { name, ours, real, ratio: name.endsWith("/s") ? real / ours : ours / real };
});
rows.push(
  { name: "ready in process", ours: median(alone.map(({ ready }) => ready)) },
  { name: "memory per object / its JSON", ours: median(alone.map(({ perObject }) => perObject)) },
);
for (const { name, ours } of rows) {
  const most = limits[name];
  if (most !== undefined && ours > most) missed(`${name}: ${format(name, ours)}, allowed are ${format(name, most)}`);
}
const columns = ["", "embedded", "limit", "etcd and kube-apiserver", "ratio"];
const shown = rows.map(({ name, ours, real, ratio }) => [
  name,
  format(name, ours),
  format(name, limits[name]),
  format(name, real),
  ratio === undefined ? "–" : times(ratio),
]);
table(columns, shown);
chart(
  "Embedded API server / etcd and kube-apiserver",
  rows.flatMap(({ name, ratio }) => (ratio === undefined ? [] : { name, ratio })),
);
for (const row of [columns, ...shown]) console.log(row.map((cell) => cell.padEnd(30)).join(""));
