// Measures the embedded API server with a Deployment of a billion replicas, of which the simulated node can hold few:
//   node bench/replicas.mjs [--probes N]
// Probes of readiness while the controllers create Pods, the end of the process, and its start with the stored objects. Needs a
// built checkout. Exits 1 if a limit is exceeded.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/run.mjs";
import { environment } from "./lib/process.mjs";
import { limit, ms, table } from "./lib/results.mjs";

const { values: flags } = parseArgs({
  options: { probes: { type: "string", default: "200" }, json: { type: "string" } },
});
const command = join(root, "packages/apiserver/bin/kubewright-apiserver.js");
/** Milliseconds after which a measurement fails. */
const longest = 60_000;
const directory = mkdtempSync(join(tmpdir(), "kubewright-replicas-"));

const elapsed = async (work) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** Starts the server with the data file, and waits until it is ready. */
async function start() {
  const files = ["--data", join(directory, "data.jsonl"), "--kubeconfig", join(directory, "kubeconfig")];
  const child = spawn(process.execPath, [command, "--workloads", ...files], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const isWritten = new Promise((resolve) => child.stdout.once("data", resolve));
  await Promise.race([isWritten, ended.then((code) => Promise.reject(new Error(`the server ended with ${code}`)))]);
  const { clusters, users } = JSON.parse(readFileSync(join(directory, "kubeconfig"), "utf8"));
  const decode = (text) => Buffer.from(text, "base64");
  const agent = new Agent({
    keepAlive: true,
    ca: decode(clusters[0].cluster["certificate-authority-data"]),
    cert: decode(users[0].user["client-certificate-data"]),
    key: decode(users[0].user["client-key-data"]),
  });
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const url = `${clusters[0].cluster.server}${path}`;
      const sent = request(url, { method, agent, headers, timeout: longest }, (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.once("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode < 300) resolve(text);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      sent.once("timeout", () => sent.destroy(new Error(`${method} ${path}: no answer`)));
      sent.once("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  await send("GET", "/readyz");
  return {
    send,
    async stop() {
      const timer = setTimeout(() => child.kill("SIGKILL"), longest);
      child.kill("SIGTERM");
      await ended;
      clearTimeout(timer);
      agent.destroy();
      if (child.signalCode === "SIGKILL") throw new Error("SIGTERM doesn't end the server");
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

let server;
try {
  server = await start();
  await server.send("POST", "/apis/apps/v1/namespaces/default/deployments", deployment);
  const probes = [];
  for (let number = 0; number < Number(flags.probes); number++) {
    probes.push(await elapsed(() => server.send("GET", "/readyz")));
    await sleep(5);
  }
  const { items } = JSON.parse(await server.send("GET", "/api/v1/namespaces/default/pods"));
  const stop = await elapsed(() => server.stop());
  const restart = await elapsed(async () => {
    server = await start();
  });
  const stopAgain = await elapsed(() => server.stop());
  server = undefined;
  probes.sort((a, b) => a - b);
  const at = (share) => probes[Math.ceil(probes.length * share) - 1];
  const rows = [
    ["/readyz, p50", ms(at(0.5)), "–"],
    ["/readyz, p99", ms(at(0.99)), ms(100)],
    ["SIGTERM until the end", ms(Math.max(stop, stopAgain)), ms(2000)],
    ["start with the stored objects until ready", ms(restart), ms(2000)],
    ["Pods", String(items.length), "–"],
    ["data file", `${Math.round(readFileSync(join(directory, "data.jsonl")).length / 1024)} KiB`, "–"],
  ];
  table(["", "measured", "limit"], rows);
  for (const row of rows) console.log(row.join("  "));
  const isKept = [
    limit("/readyz, p99 in ms", at(0.99), 100),
    limit("SIGTERM until the end, ms", Math.max(stop, stopAgain), 2000),
    limit("start with the stored objects until ready, ms", restart, 2000),
  ];
  if (isKept.includes(false)) process.exitCode = 1;
} finally {
  await server?.stop().catch(() => undefined);
  rmSync(directory, { recursive: true, force: true });
}
