// Compares the runtime's HTTP client with undici and node:http: requests per second, CPU time per request, memory, and the
// time of the first response. Each client and the server run in processes of their own.
//
//   node --import tsx bench/transport.ts [--rounds 5]
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/run.mjs";
import { writeCertificate } from "./lib/certificate.ts";
import { median } from "./lib/statistics.ts";

const { values: flags } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const program = (name: string): string => join(root, "bench/transport", name);
const clients = ["runtime", "undici", "node:http"] as const;

/** The results of transport/client.mjs. */
interface ClientResults {
  readonly rate: number;
  /** Microseconds per request. */
  readonly cpu: number;
  /** MiB. */
  readonly rss: number;
  /** Milliseconds. */
  readonly first: number;
}

const scratch = mkdtempSync(join(tmpdir(), "kubewright-transport-"));
try {
  await writeCertificate(scratch);
  const server = spawn(process.execPath, [program("server.mjs"), scratch], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [port] = await once(server.stdout, "data");
    const url = `https://127.0.0.1:${String(port).trim()}`;
    const results: Record<(typeof clients)[number], ClientResults[]> = { runtime: [], undici: [], "node:http": [] };
    for (let round = 0; round < Number(flags.rounds); round++) {
      for (const client of clients) {
        const args = [program("client.mjs"), scratch, url, client];
        const output = execFileSync(process.execPath, args, { encoding: "utf8" });
        results[client].push(JSON.parse(output) as ClientResults);
      }
    }
    for (const client of clients) {
      const of = (key: keyof ClientResults): number => median(results[client].map((result) => result[key]));
      const cells = [
        `rate ${of("rate").toFixed(0)}`,
        `cpu-µs ${of("cpu").toFixed(1)}`,
        `rss-MiB ${of("rss").toFixed(1)}`,
        `first-ms ${of("first").toFixed(1)}`,
      ];
      console.log([client.padEnd(10), ...cells].join("  "));
    }
  } finally {
    server.kill();
  }
} finally {
  rmSync(scratch, { recursive: true });
}
