// Compares the embedded API server with etcd and kube-apiserver, over TLS and in the same run:
//   node bench/apiserver.mjs [--rounds N] [--objects N] [--watchers N]
// Start, latency and throughput of requests, lists, watches, memory, and a definition with 200 fields. Each server runs in
// its own process, which this program sends the requests to. Needs Linux, a built checkout, and the servers if available.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/run.mjs";
import { testServers } from "../scripts/lib/test-servers.mjs";
import { environment, processUsage } from "./lib/process.mjs";
import { absent, chart, mebibytes, missed, ms, samples, table, times } from "./lib/results.mjs";

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
const workers = 10;
const path = "/api/v1/namespaces/default/configmaps";
const command = join(root, "packages/apiserver/bin/kubewright-apiserver.js");

/** The limits of the embedded server: milliseconds, MiB, or a ratio. */
const limits = {
  "ready in process": 50,
  ready: 300,
  "create p50": 1,
  "get p50": 1,
  "idle, MiB": 90,
  "memory per object / its JSON": 3,
};

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const elapsed = async (work) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** A client of a server: HTTP/1.1 over kept connections, with the certificate of an administrator. */
class Client {
  #host;
  #tls;
  #agent;

  constructor({ host, ca, cert, key }) {
    this.#host = host;
    this.#tls = { ca, cert, key };
    this.#agent = new Agent({ keepAlive: true, maxSockets: workers, ...this.#tls });
  }

  send(method, url, body, type = "application/json") {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = text ? { "content-type": type, "content-length": Buffer.byteLength(text) } : {};
      const sent = request(`${this.#host}${url}`, { method, agent: this.#agent, headers }, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => {
          const answer = Buffer.concat(chunks);
          if (response.statusCode < 300) resolve(answer);
          else reject(new Error(`${method} ${url}: ${response.statusCode} ${answer}`));
        });
      });
      sent.on("error", reject);
      sent.end(text);
    });
  }

  /** Opens a watch on its own connection. Calls `onEvent` for each event. */
  watch(url, onEvent) {
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#host}${url}`, { agent: new Agent(this.#tls) }, (response) => {
        let rest = "";
        response.setEncoding("utf8").on("data", (text) => {
          const lines = (rest + text).split("\n");
          rest = lines.pop();
          for (const _ of lines) onEvent();
        });
        response.on("error", () => {});
        resolve(() => sent.destroy());
      });
      sent.on("error", reject);
      sent.end();
    });
  }

  close() {
    this.#agent.destroy();
  }
}

const configMap = (name, value) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { app: "bench" } },
  data: { value, text: "x".repeat(100) },
});

const verbs = {
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
async function measureVerbs(client) {
  const result = {};
  for (const [verb, send] of Object.entries(verbs)) {
    const latencies = [];
    for (let i = 0; i < requests; i++) latencies.push(await elapsed(() => send(client, `one-${i}`)));
    let next = 0;
    const work = async () => {
      while (next < requests * 4) await send(client, `many-${next++}`);
    };
    const time = await elapsed(() => Promise.all(Array.from({ length: workers }, work)));
    result[verb] = { p50: median(latencies), perSecond: (requests * 4) / (time / 1000) };
  }
  return result;
}

async function measureLists(client) {
  let made = 0;
  const work = async () => {
    while (made < count) await client.send("POST", path, configMap(`list-${made++}`, "0"));
  };
  await Promise.all(Array.from({ length: workers }, work));
  const list = async (query) => {
    const all = [];
    for (let i = 0; i < 5; i++) all.push(await elapsed(() => client.send("GET", `${path}${query}`)));
    return median(all);
  };
  return { "list 500": await list("?limit=500"), [`list ${count}`]: await list("") };
}

/** Returns the events per second that the watchers receive together. */
async function measureWatchers(client) {
  let events = 0;
  const changes = 20;
  const stops = [];
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
async function measureDefinition(client) {
  const field = (i) => [`field${i}`, { type: "object", properties: { value: { type: "string", maxLength: 64 } } }];
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
  const latencies = [];
  for (let i = 0; i < 200; i++) {
    const object = { apiVersion: "example.com/v1", kind: "Large", metadata: { name: `l-${i}` }, spec: values };
    latencies.push(await elapsed(() => client.send("POST", "/apis/example.com/v1/namespaces/default/larges", object)));
  }
  return { served, create: median(latencies) };
}

function usage(pids) {
  const all = pids.map((pid) => processUsage(pid));
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  return { cpuSeconds: sum("cpuSeconds"), rssMiB: sum("rssMiB") };
}

/** Starts the command of the package. Resolves when it has written its kubeconfig. */
async function startEmbedded() {
  const child = spawn(process.execPath, [command], { env: environment, stdio: ["ignore", "pipe", "ignore"] });
  const kubeconfig = await new Promise((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(String(text).trim()));
    child.once("exit", (code) => reject(new Error(`kubewright-apiserver ended with ${code}`)));
  });
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, "utf8"));
  const decode = (text) => Buffer.from(text, "base64");
  return {
    config: {
      host: clusters[0].cluster.server,
      ca: decode(clusters[0].cluster["certificate-authority-data"]),
      cert: decode(users[0].user["client-certificate-data"]),
      key: decode(users[0].user["client-key-data"]),
    },
    pids: [child.pid],
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", resolve);
        child.kill("SIGTERM");
      }),
  };
}

async function startBinaries(assets) {
  process.env.KUBEBUILDER_ASSETS = assets;
  const { TestEnvironment } = await import(pathToFileURL(join(root, "packages/runtime/dist/envtest/index.js")).href);
  const environment = new TestEnvironment({ engine: "binaries" });
  const config = await environment.start();
  return { config, pids: Object.values(environment.pids).filter(Boolean), stop: () => environment.stop() };
}

async function measure(engine, assets) {
  let server;
  const ready = await elapsed(async () => {
    server = await (engine === "binaries" ? startBinaries(assets) : startEmbedded());
  });
  const client = new Client(server.config);
  const { pids } = server;
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
    await server.stop();
  }
}

/** A program that starts the server in its own process and stores objects. It prints the results as JSON. */
const inProcess = `
const { startApiServer } = await import(process.argv[1]);
const began = performance.now();
const server = await startApiServer({ http: false });
const ready = performance.now() - began;
const user = { name: "admin", groups: ["system:masters"] };
const headers = { "content-type": "application/json" };
const path = "/api/v1/namespaces/default/configmaps";
const create = (name) => {
  const body = JSON.stringify({ metadata: { name, labels: { app: "bench" } }, data: { text: "x".repeat(100) } });
  return server.handle({ method: "POST", url: path, headers, body, user });
};
// The first requests compile the code and load the data that later ones share.
for (let i = 0; i < 500; i++) await create("first-" + i);
const heap = () => (gc(), gc(), process.memoryUsage().heapUsed);
const before = heap();
const count = 10_000;
for (let i = 0; i < count; i++) await create("list-" + i);
const perObject = (heap() - before) / count;
const { body } = await server.handle({ method: "GET", url: path, headers, user });
console.log(JSON.stringify({ ready, perObject: perObject / (body.length / (count + 500)) }));
await server.stop();
`;

function measureInProcess() {
  const entry = pathToFileURL(join(root, "packages/apiserver/dist/index.js")).href;
  const flags = ["--expose-gc", "--input-type=module", "--eval", inProcess, entry];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: "utf8" }));
}

const format = (name, value) => {
  if (value === undefined) return "–";
  if (name.endsWith("MiB")) return mebibytes(value);
  if (name.endsWith("/s")) return value.toFixed(0);
  if (name.endsWith("JSON")) return times(value);
  return value < 20 ? `${value.toFixed(2)} ms` : ms(value);
};

const assets = await testServers();
if (assets === undefined) absent("etcd and kube-apiserver aren't available: only the embedded server is measured");
const engines = assets === undefined ? ["embedded"] : ["embedded", "binaries"];
const results = Object.fromEntries(engines.map((engine) => [engine, []]));
for (let round = 0; round < Number(flags.rounds); round++) {
  for (const engine of engines) results[engine].push(await measure(engine, assets));
}
const alone = Array.from({ length: 5 }, measureInProcess);
samples({ ...results, alone });
const value = (engine, name) => results[engine] && median(results[engine].map((one) => one[name]));
const rows = Object.keys(results.embedded[0]).map((name) => {
  const [ours, real] = [value("embedded", name), value("binaries", name)];
  return { name, ours, real, ratio: real === undefined ? undefined : name.endsWith("/s") ? real / ours : ours / real };
});
rows.push(
  { name: "ready in process", ours: median(alone.map(({ ready }) => ready)) },
  { name: "memory per object / its JSON", ours: median(alone.map(({ perObject }) => perObject)) },
);
for (const { name, ours } of rows) {
  const most = limits[name];
  if (ours > most) missed(`${name}: ${format(name, ours)}, allowed are ${format(name, most)}`);
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
  rows.map(({ name, ratio }) => ({ name, ratio })),
);
for (const row of [columns, ...shown]) console.log(row.map((cell) => cell.padEnd(30)).join(""));
