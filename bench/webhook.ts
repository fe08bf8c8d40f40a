// Compares the webhook server with a plain Node HTTPS server with the same responses, and with controller-runtime's if Go is
// installed:
//   node --import tsx bench/webhook.ts [--rounds N] [--at-once N]
// Each round sends a number of concurrent reviews: "new" over new connections, as API servers do beyond the few that they
// keep, "kept" over open connections. Needs a built checkout.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/run.mjs";
import { freePort } from "../scripts/test-support/free-port.ts";
import { writeCertificate } from "./lib/certificate.ts";
import { buildGo } from "./lib/go.ts";
import { processUsage, started } from "./lib/process.ts";
import { absent, type Bar, chart, table } from "./lib/results.ts";
import { percentile } from "./lib/statistics.ts";

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
const children: ChildProcess[] = [];

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

/** Whether the reviews come over new or kept connections. */
const kinds = ["new", "kept"] as const;
type Kind = (typeof kinds)[number];

interface ReviewServer {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
}

async function start(name: string, command: string, ...args: string[]): Promise<ReviewServer> {
  const port = await freePort();
  const child = spawn(command, [...args, scratch, String(port)], { stdio: ["ignore", "ignore", "inherit"] });
  children.push(child);
  for (let tries = 0; ; tries++) {
    try {
      await ask(port, false);
      return { name, port, pid: started(child) };
    } catch (error) {
      if (tries > 100 || child.exitCode !== null) throw new Error(`${name} doesn't serve`, { cause: error });
      await sleep(100);
    }
  }
}

/** Sends one review. Resolves to milliseconds. */
function ask(port: number, agent: Agent | false): Promise<number> {
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

const burst = ({ port }: ReviewServer, agent: Agent | false): Promise<number[]> =>
  Promise.all(Array.from({ length: atOnce }, () => ask(port, agent)));

/** A number of reviews at once, in milliseconds. */
interface Burst {
  readonly times: readonly number[];
  readonly wall: number;
  /** Processor time of the server. */
  readonly cpu: number;
}

async function measure(server: ReviewServer, agent: Agent | false): Promise<Burst> {
  const before = processUsage(server.pid).cpuSeconds;
  const began = performance.now();
  const times = await burst(server, agent);
  return { times, wall: performance.now() - began, cpu: (processUsage(server.pid).cpuSeconds - before) * 1000 };
}

const rows: string[][] = [];

/** The reviews of all rounds: milliseconds, and reviews per second. */
interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly rate: number;
  readonly cpu: number;
}

function summary(bursts: readonly Burst[]): Summary {
  const times = bursts.flatMap((burst) => burst.times);
  const sum = (key: "wall" | "cpu"): number => bursts.reduce((total, burst) => total + burst[key], 0);
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    rate: (1000 * times.length) / sum("wall"),
    cpu: sum("cpu") / times.length,
  };
}

function line(name: string, kind: Kind, { p50, p99, rate, cpu }: Summary): string {
  const cells = [`${p50.toFixed(1)} ms`, `${p99.toFixed(1)} ms`, rate.toFixed(0), `${cpu.toFixed(2)} ms`];
  rows.push([name, kind, ...cells]);
  return [name.padEnd(10), kind.padEnd(5), ...cells.map((cell) => cell.padStart(11))].join(" ");
}

/** Returns bars that compare ours with a peer. */
function barsBeside(ours: Record<Kind, Summary>, peer: Record<Kind, Summary>): Bar[] {
  return kinds.flatMap((kind) => [
    { name: `${kind} connections: p50`, ratio: ours[kind].p50 / peer[kind].p50 },
    { name: `${kind} connections: p99`, ratio: ours[kind].p99 / peer[kind].p99 },
    { name: `${kind} connections: CPU a review`, ratio: ours[kind].cpu / peer[kind].cpu },
  ]);
}

try {
  await writeCertificate(scratch);
  const ours = await start("ours", process.execPath, join(root, "bench/webhook/ours.mjs"));
  const bare = await start("bare Node", process.execPath, join(root, "bench/webhook/bare.mjs"));
  const binary = await buildGo(join(root, "bench/runtime/go"), join(scratch, "webhook"), "./webhook");
  if (binary === undefined) absent("controller-runtime is left out: `go` isn't on PATH");
  const go = binary && (await start("Go", binary));

  const measured = [ours, bare, ...(go ? [go] : [])].map((server) => ({
    server,
    agent: new Agent({ keepAlive: true, maxSockets: atOnce }),
    bursts: { new: [] as Burst[], kept: [] as Burst[] },
  }));
  for (const { server, agent } of measured) {
    await burst(server, false);
    await burst(server, agent);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { server, agent, bursts } of measured) {
      bursts.new.push(await measure(server, false));
      bursts.kept.push(await measure(server, agent));
    }
  }
  console.log(`Node ${process.version}, ${rounds} rounds of ${atOnce} reviews at once`);
  console.log("server     conn.         p50         p99    a second  CPU a review");
  const summaries = measured.map(({ server, bursts }) => ({
    server,
    summary: { new: summary(bursts.new), kept: summary(bursts.kept) },
  }));
  for (const kind of kinds) {
    for (const { server, summary } of summaries) console.log(line(server.name, kind, summary[kind]));
  }
  table(["", "connections", "p50", "p99", "reviews a second", "CPU a review"], rows);
  const summaryOf = (of: ReviewServer) => summaries.find(({ server }) => server === of)!.summary;
  if (go) chart("Ours / controller-runtime in Go", barsBeside(summaryOf(ours), summaryOf(go)));
  for (const { agent } of measured) agent.destroy();
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
}
