// The executable `etcd` for test environments. The API server stores its objects itself: this process provides the directory
// for them and the health checks of etcd, and the API server has no storage while this process doesn't run.
import { mkdirSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { type FlagType, ServerFlags } from "./server-flags.ts";
import { type Storage, storagePath } from "./storage-link.ts";

const version = "3.6.4";

const flagTypes: Record<string, FlagType> = {
  "advertise-client-urls": "text",
  "data-dir": "text",
  "listen-client-urls": "text",
  "listen-peer-urls": "text",
  name: "text",
  "unsafe-no-fsync": "boolean",
  version: "boolean",
};

function main(args: readonly string[]): void {
  const flags = new ServerFlags(args, flagTypes, (name) => process.stderr.write(`etcd: --${name} is ignored\n`));
  const help = flags.help("etcd");
  if (help !== undefined) {
    process.stdout.write(help);
    return;
  }
  if (flags.text("version") === "true") {
    process.stdout.write(`etcd Version: ${version}\n`);
    return;
  }
  const directory = resolve(flags.text("data-dir") ?? `${flags.text("name") ?? "default"}.etcd`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const storage: Storage = { dataFile: join(directory, "kubewright.jsonl") };
  const urls = flags.list("listen-client-urls");
  for (const url of urls.length > 0 ? urls : ["http://127.0.0.1:2379"]) {
    if (!URL.canParse(url))
      throw new Error(`invalid argument ${JSON.stringify(url)} for "--listen-client-urls" flag: must be URLs`);
    serve(new URL(url), storage);
  }
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
}

function serve({ hostname, port }: URL, storage: Storage): void {
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0];
    if (path === storagePath) {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(`${JSON.stringify(storage)}\n`);
    } else if (path === "/health") json(response, 200, { health: "true", reason: "" });
    else if (path === "/livez" || path === "/readyz") response.end("ok\n");
    else if (path === "/version") json(response, 200, { etcdserver: version, etcdcluster: "3.6.0", storage: "3.6.0" });
    else
      json(response, 404, { error: "Not Found: this is kubewright's stand-in, which doesn't speak etcd's protocol" });
  });
  server.keepAliveTimeout = 60_000;
  server.on("error", (error) => fail(`listen on ${hostname}:${port}: ${error.message}`));
  server.listen(Number(port || 2379), hostname.replace(/^\[|\]$/g, ""));
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function fail(message: string): never {
  process.stderr.write(`etcd: error: ${message}\n`);
  process.exit(1);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  fail((error as Error).message);
}
