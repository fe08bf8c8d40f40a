// Sends requests with one client, and prints its results as JSON: client.mjs DIRECTORY URL CLIENT.
// JavaScript with checked types, because this process is measured, and would spend time on a loader of TypeScript.
// @ts-check
import { readFileSync } from "node:fs";
import { Agent, request as httpsRequest } from "node:https";
import { join } from "node:path";

const requests = 20_000;
const workers = 10;
const path = "/api/v1/namespaces/default/configmaps/a";

/**
 * Sends one GET and reads its JSON.
 *
 * @typedef {{ get: () => Promise<unknown>, close: () => unknown }} Client
 */

/** @type {Readonly<Record<string, (server: string, ca: string) => Promise<Client>>>} */
const clients = {
  async runtime(server, ca) {
    const { createTransport } = await import("@kubewright/runtime");
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
          response
            .on("data", (chunk) => {
              text += chunk;
            })
            .on("end", () => resolve(JSON.parse(text)));
        });
        request.on("error", reject).end();
      });
    return { get, close: () => agent.destroy() };
  },
};

const [directory = ".", server = "", name = ""] = process.argv.slice(2);
const open = clients[name];
if (open === undefined) throw new Error(`client not found: ${name}`);
const ca = readFileSync(join(directory, "tls.crt"), "utf8");
const began = performance.now();
const { get, close } = await open(server, ca);
await get();
const first = performance.now() - began;

/**
 * Sends requests by ten workers like those of a controller, each with one request at a time.
 *
 * @param {number} count
 */
async function send(count) {
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let i = 0; i < count / workers; i++) await get();
    }),
  );
}

await send(requests / 4);
const before = process.cpuUsage();
const start = performance.now();
await send(requests);
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(before);
const memory = process.memoryUsage.rss() / 2 ** 20;
await close();
const results = { rate: requests / seconds, cpu: (user + system) / requests, rss: memory, first };
console.log(JSON.stringify(results));
