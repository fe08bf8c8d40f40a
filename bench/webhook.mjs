// Compares the webhook server with a plain Node HTTPS server with the same responses, and with controller-runtime's if Go is
// installed:
//   node bench/webhook.mjs [--rounds N] [--at-once N]
// Each round sends a number of concurrent reviews: "new" over new connections, as API servers do beyond the few that they
// keep,
// "kept" over open connections. Needs a built checkout.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { root, run } from "../scripts/lib/run.mjs";
import { processUsage } from "./lib/process.mjs";
import { absent, chart, table } from "./lib/results.mjs";

const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    "at-once": { type: "string", default: "200" },
    json: { type: "string" },
  },
});
const rounds = Number(flags.rounds);
const atOnce = Number(flags["at-once"]);
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-webhook-"));
const children = [];

const review = JSON.stringify({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: {
    uid: "11111111-2222-3333-4444-555555555555",
    kind: { group: "bench.kubewright.dev", version: "v1", kind: "Sample" },
    resource: { group: "bench.kubewright.dev", version: "v1", resource: "samples" },
    name: "sample",
    namespace: "default",
    operation: "CREATE",
    userInfo: { username: "admin", groups: ["system:masters", "system:authenticated"] },
    object: {
      apiVersion: "bench.kubewright.dev/v1",
      kind: "Sample",
      metadata: { name: "sample", namespace: "default", labels: { app: "bench" } },
      spec: {},
    },
    oldObject: null,
    dryRun: false,
    options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
  },
});

function certificate() {
  const key = join(scratch, "tls.key");
  const options = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "1",
    "-subj",
    "/CN=bench",
  ];
  return run("openssl", ["req", "-x509", ...options, "-keyout", key, "-out", join(scratch, "tls.crt")]);
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function start(name, argv) {
  const port = await freePort();
  const [command, ...args] = [...argv, scratch, String(port)];
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] });
  children.push(child);
  for (let tries = 0; ; tries++) {
    try {
      await ask(port, false);
      return { name, port, pid: child.pid };
    } catch (error) {
      if (tries > 100 || child.exitCode !== null) throw new Error(`${name} doesn't serve`, { cause: error });
      await sleep(100);
    }
  }
}

/** Sends one review. Resolves to milliseconds. */
function ask(port, agent) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const options = {
      host: "127.0.0.1",
      port,
      path: "/mutate?timeout=10s",
      method: "POST",
      rejectUnauthorized: false,
      agent,
    };
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(review) };
    const sent = request({ ...options, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => {
        if (!JSON.parse(text).response?.patch) reject(new Error(`no patch: ${text}`));
        else resolve(performance.now() - began);
      });
    });
    sent.on("error", reject);
    sent.end(review);
  });
}

const burst = (server, agent) => Promise.all(Array.from({ length: atOnce }, () => ask(server.port, agent)));

async function measure(server, agent) {
  const before = processUsage(server.pid).cpuSeconds;
  const began = performance.now();
  const times = await burst(server, agent);
  return { times, wall: performance.now() - began, cpu: (processUsage(server.pid).cpuSeconds - before) * 1000 };
}

const rows = [];

/** Returns the milliseconds of all rounds, and the reviews per second. */
function summary(results) {
  const times = results.flatMap((result) => result.times).sort((a, b) => a - b);
  const at = (share) => times[Math.ceil(times.length * share) - 1];
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  return { p50: at(0.5), p99: at(0.99), rate: (1000 * times.length) / sum("wall"), cpu: sum("cpu") / times.length };
}

function line(name, kind, { p50, p99, rate, cpu }) {
  const cells = [`${p50.toFixed(1)} ms`, `${p99.toFixed(1)} ms`, rate.toFixed(0), `${cpu.toFixed(2)} ms`];
  rows.push([name, kind, ...cells]);
  return [name.padEnd(10), kind.padEnd(5), ...cells.map((cell) => cell.padStart(11))].join(" ");
}

/** Returns rows that compare ours with a peer. */
function barsBeside(results, peer) {
  const names = { new: "new connections", kept: "kept connections" };
  const measured = { p50: "p50", p99: "p99", cpu: "CPU a review" };
  return Object.entries(names).flatMap(([kind, connections]) =>
    Object.entries(measured).map(([key, what]) => {
      const [ours, theirs] = ["ours", peer].map((name) => results[name][kind][key]);
      return { name: `${connections}: ${what}`, ratio: ours / theirs };
    }),
  );
}

try {
  await certificate();
  const servers = [
    await start("ours", [process.execPath, join(root, "bench/webhook/ours.mjs")]),
    await start("bare Node", [process.execPath, join(root, "bench/webhook/bare.mjs")]),
  ];
  const go = join(scratch, "webhook");
  const built = await run("go", ["build", "-o", go, "./webhook"], {
    cwd: join(root, "bench/runtime/go"),
  }).catch((error) => ({ code: error.code, output: "" }));
  if (built.code === 0) servers.push(await start("Go", [go]));
  else if (built.code === "ENOENT") absent("controller-runtime is left out: `go` isn't on PATH");
  else throw new Error(`go build ended with ${built.code}\n${built.output}`);

  const results = new Map(servers.map((server) => [server, { new: [], kept: [] }]));
  const agents = new Map(servers.map((server) => [server, new Agent({ keepAlive: true, maxSockets: atOnce })]));
  for (const server of servers) for (const agent of [false, agents.get(server)]) await burst(server, agent);
  for (let round = 0; round < rounds; round++) {
    for (const server of servers) {
      results.get(server).new.push(await measure(server, false));
      results.get(server).kept.push(await measure(server, agents.get(server)));
    }
  }
  console.log(`Node ${process.version}, ${rounds} rounds of ${atOnce} reviews at once`);
  console.log("server     conn.         p50         p99    a second  CPU a review");
  const found = Object.fromEntries(
    [...results].map(([{ name }, { new: fresh, kept }]) => [name, { new: summary(fresh), kept: summary(kept) }]),
  );
  for (const kind of ["new", "kept"]) for (const name in found) console.log(line(name, kind, found[name][kind]));
  table(["", "connections", "p50", "p99", "reviews a second", "CPU a review"], rows);
  if (found.Go) chart("Ours / controller-runtime in Go", barsBeside(found, "Go"));
  for (const agent of agents.values()) agent.destroy();
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
}
