// Compares the runtime's HTTP client with undici and node:http: requests per second, CPU time per request and memory of
// the client alone. The server is another process that answers each GET with 2 KiB of JSON over TLS.
//
//   node bench/transport.mjs [--rounds 5]
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, createServer, request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";

const requests = 20_000;
const workers = 10;
async function compare() {
  const rounds = Number(process.argv[process.argv.indexOf("--rounds") + 1]) || 5;
  const scratch = mkdtempSync(join(tmpdir(), "kubewright-transport-"));
  const key = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", [...key, ...names, "-keyout", join(scratch, "key"), "-out", join(scratch, "cert")], {
    stdio: "ignore",
  });
  const server = spawn(process.execPath, [import.meta.filename, "serve", scratch], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const port = await new Promise((resolve) => server.stdout.once("data", (text) => resolve(Number(text))));
    const results = { runtime: [], undici: [], "node:http": [] };
    for (let round = 0; round < rounds; round++) {
      for (const client of Object.keys(results)) {
        const args = [import.meta.filename, "client", scratch, `https://127.0.0.1:${port}`, client];
        results[client].push(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })));
      }
    }
    const median = (list, key) => list.map((one) => one[key]).sort((a, b) => a - b)[list.length >> 1];
    for (const [client, list] of Object.entries(results)) {
      const shown = Object.keys(list[0]).map((key) => `${key} ${median(list, key).toFixed(key === "rate" ? 0 : 1)}`);
      console.log(`${client.padEnd(10)} ${shown.join("  ")}`);
    }
  } finally {
    server.kill();
    rmSync(scratch, { recursive: true });
  }
}

function serve(scratch) {
  const body = JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", data: { text: "x".repeat(2000) } });
  const headers = { "content-type": "application/json", "content-length": body.length };
  const options = { key: readFileSync(join(scratch, "key")), cert: readFileSync(join(scratch, "cert")) };
  const server = createServer(options, (_request, response) => response.writeHead(200, headers).end(body));
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
  process.stdin.on("end", () => process.exit()).resume();
}

async function measure(client, scratch, server) {
  const ca = readFileSync(join(scratch, "cert"), "utf8");
  const began = performance.now();
  const { get, close } = await clients[client](server, ca);
  await get();
  const loading = performance.now() - began;
  // Ten workers like those of a controller, each with one request at a time.
  const run = async (count) => {
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (let i = 0; i < count / workers; i++) await get();
      }),
    );
  };
  await run(requests / 4);
  const before = process.cpuUsage();
  const start = performance.now();
  await run(requests);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const memory = process.memoryUsage.rss() / 2 ** 20;
  await close();
  console.log(
    JSON.stringify({
      rate: requests / seconds,
      "cpu-µs": (user + system) / requests,
      "rss-MiB": memory,
      "first-ms": loading,
    }),
  );
}

const path = "/api/v1/namespaces/default/configmaps/a";
const clients = {
  async runtime(server, ca) {
    const { createTransport } = await import("../packages/runtime/dist/index.js");
    const transport = createTransport({ host: server, ca, qps: 1e9, burst: 1e9 });
    return { get: () => transport.request({ method: "GET", path }), close: () => transport.close() };
  },
  async undici(server, ca) {
    const { Pool } = await import("undici");
    const pool = new Pool(server, { connections: 100, connect: { ca } });
    return {
      get: async () =>
        (await pool.request({ method: "GET", path, headers: { accept: "application/json" } })).body.json(),
      close: () => pool.close(),
    };
  },
  async "node:http"(server, ca) {
    const agent = new Agent({ keepAlive: true, maxSockets: 100, ca });
    const get = () =>
      new Promise((resolve, reject) => {
        const request = httpsRequest(server + path, { agent, headers: { accept: "application/json" } }, (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk) => (text += chunk)).on("end", () => resolve(JSON.parse(text)));
        });
        request.on("error", reject).end();
      });
    return { get, close: () => agent.destroy() };
  },
};

const [mode, directory, url] = process.argv.slice(2);
if (mode === "serve") serve(directory);
else if (mode === "client") await measure(process.argv[5], directory, url);
else await compare();
