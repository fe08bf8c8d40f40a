// Measures the embedded API server with a Deployment of a billion replicas, of which the simulated node can hold few:
//   node --import tsx bench/replicas.ts [--probes N]
// Probes of readiness while the controllers create Pods, the end of the process, and its start with the stored objects. Needs a
// built checkout. Exits 1 if a limit is exceeded.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Client, startEmbedded } from "./lib/embedded-server.ts";
import { limit, ms, table } from "./lib/results.ts";
import { elapsed, percentile } from "./lib/statistics.ts";

const { values: flags } = parseArgs({
  options: { probes: { type: "string", default: "200" }, json: { type: "string" } },
});
const directory = mkdtempSync(join(tmpdir(), "kubewright-replicas-"));
const data = join(directory, "data.jsonl");

interface RunningServer {
  readonly client: Client;
  stop(): Promise<void>;
}

/** Starts the server with the data file, and waits until it is ready. */
async function start(): Promise<RunningServer> {
  const { config, stop } = await startEmbedded("--workloads", "--data", data);
  const client = new Client(config);
  await client.send("GET", "/readyz");
  return {
    client,
    async stop() {
      await stop();
      client.close();
    },
  };
}

const labels = { app: "big" };
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "big" },
  spec: {
    replicas: 1_000_000_000,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "nginx" }] } },
  },
};

let server: RunningServer | undefined;
try {
  const first = await start();
  server = first;
  const { client } = first;
  await client.send("POST", "/apis/apps/v1/namespaces/default/deployments", deployment);
  const probes: number[] = [];
  for (let number = 0; number < Number(flags.probes); number++) {
    probes.push(await elapsed(() => client.send("GET", "/readyz")));
    await sleep(5);
  }
  const { items } = JSON.parse(String(await client.send("GET", "/api/v1/namespaces/default/pods"))) as {
    items: unknown[];
  };
  const stop = await elapsed(() => first.stop());
  const began = performance.now();
  const second = await start();
  server = second;
  const restart = performance.now() - began;
  const stopAgain = await elapsed(() => second.stop());
  server = undefined;
  const p99 = percentile(probes, 0.99);
  const rows = [
    ["/readyz, p50", ms(percentile(probes, 0.5)), "–"],
    ["/readyz, p99", ms(p99), ms(100)],
    ["SIGTERM until the end", ms(Math.max(stop, stopAgain)), ms(2000)],
    ["start with the stored objects until ready", ms(restart), ms(2000)],
    ["Pods", String(items.length), "–"],
    ["data file", `${Math.round(readFileSync(data).length / 1024)} KiB`, "–"],
  ];
  table(["", "measured", "limit"], rows);
  for (const row of rows) console.log(row.join("  "));
  limit("/readyz, p99 in ms", p99, 100);
  limit("SIGTERM until the end, ms", Math.max(stop, stopAgain), 2000);
  limit("start with the stored objects until ready, ms", restart, 2000);
} finally {
  await server?.stop().catch(() => undefined);
  rmSync(directory, { recursive: true, force: true });
}
