import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import type { Dev } from "./dev-session.ts";
import { send } from "./requests.ts";

const assets = join(checkout, "dist", "dashboard");
const file = join(checkout, "e2e/dev/testdata/session.json");
const findings = join(checkout, "e2e/dev/testdata/findings.json");
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
const game = "kind=Game&namespace=default&name=game-sample";
const paths = [
  "/api/status",
  "/api/objects",
  "/api/controllers",
  "/api/caches",
  "/api/faults",
  "/api/admission?limit=200",
  "/api/reconciles?limit=300",
  "/api/revisions?limit=200",
  `/api/object?${game}`,
  `/api/timeline?${game}&limit=200`,
];

/** The directory of the packages that tests share, in stack traces: the data must not contain paths of this machine. */
const storedPackages = /[^\s("]*node_modules\/\.cache\/kubewright-e2e\/[0-9a-f]+\//g;

/** The responses of a real session, by path without its limit. */
interface Recorded {
  /** The time of the recording in RFC 3339. */
  readonly time: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Writes the responses of a session to the test data. */
export async function recordSession(dev: Dev): Promise<void> {
  const { url, token } = JSON.parse(readFileSync(join(dev.root, ".kubewright/dev/session.json"), "utf8")) as {
    url: string;
    token: string;
  };
  const answers: Record<string, unknown> = {};
  for (const path of paths) {
    const { body, status } = await send(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    const text = body
      .replaceAll(dev.root, "/home/you/mygame")
      .replaceAll(url, "http://127.0.0.1:8080")
      .replaceAll(storedPackages, "");
    answers[keyOf(path)] = JSON.parse(text);
  }
  writeFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), answers } satisfies Recorded, null, 1)}\n`);
}

/** Serves a recorded session, and findings, to the dashboard: the same data and time in each run, for pictures. */
export class RecordedSession {
  readonly #recorded = JSON.parse(readFileSync(file, "utf8")) as Recorded;
  readonly #findings: object = { source: "findings.json", ...JSON.parse(readFileSync(findings, "utf8")) };
  readonly #server: Server = createServer((request, response) => this.#serve(request.url ?? "/", response));

  /** The time of the recording. */
  get time(): Date {
    return new Date(this.#recorded.time);
  }

  /** Returns the URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(url: string, response: ServerResponse): void {
    const { pathname } = new URL(url, "http://localhost");
    if (pathname === "/api/stream") {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(`data: {"type":"reset"}\n\n`);
      return;
    }
    if (pathname.startsWith("/api/")) {
      const answer = pathname === "/api/replay" ? this.#findings : this.#recorded.answers[keyOf(url)];
      response.writeHead(answer ? 200 : 404, { "Content-Type": "application/json" });
      response.end(JSON.stringify(answer ?? { error: "not recorded" }));
      return;
    }
    const path = pathname === "/" || pathname === "/replay" ? "/index.html" : pathname;
    response.writeHead(200, { "Content-Type": types[extname(path)] ?? "text/plain" });
    response.end(readFileSync(join(assets, path)));
  }
}

/** Returns a path with the parameters that identify its answer. */
function keyOf(url: string): string {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const given = ["kind", "namespace", "name"].map((name) => searchParams.get(name)).filter((value) => value !== null);
  return [pathname, ...given].join(" ");
}
