// Runs a manager in a separate process and attackers in another, and measures the requests of genuine clients.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { Agent, request } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type * as attacks from "../../tests/attacks/attacks.ts";
import { Ticket, TicketV1beta1, ticket } from "../webhook/ticket.fixture.ts";

/** Time in milliseconds after which a genuine request has failed. Only a hang takes so long, also beside other work. */
const longestAnswer = 60_000;
/** The heap size in MiB that Node.js derives from the scaffolded limit of 384Mi. */
const heap = 259;
const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** An API server that accepts one token, and counts its requests. */
export interface FakeApiServer {
  url: string;
  reviews: number;
  close(): void;
}

async function fakeApiServer(): Promise<FakeApiServer> {
  const server: Server = createServer(async (asked, response) => {
    let text = "";
    for await (const chunk of asked) text += chunk;
    fake.reviews++;
    await sleep(5);
    const { spec } = JSON.parse(text || "{}") as { spec?: { token?: string } };
    const status = { authenticated: spec?.token === "good", user: { username: "prometheus" }, allowed: true };
    response.writeHead(201, { "Content-Type": "application/json" }).end(JSON.stringify({ status }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const fake: FakeApiServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reviews: 0,
    close: () => void server.close().closeAllConnections(),
  };
  return fake;
}

/** A manager under test. */
export interface Attacked {
  pid: number;
  ports: Record<"webhook" | "metrics" | "health", number>;
  api: FakeApiServer;
  /** Returns the memory in bytes (resident now, resident at most, and used by JavaScript), and the processor time in milliseconds. */
  usage(): Promise<{ rss: number; peak: number; used: number; cpu: number }>;
  stop(): Promise<void>;
}

export async function startManager(options: { http2?: boolean } = {}): Promise<Attacked> {
  const api = await fakeApiServer();
  const child = fork(at("attacked.fixture.ts"), [api.url, options.http2 ? "http2" : ""], {
    execArgv: [`--max-old-space-size=${heap}`, "--expose-gc", "--import", "tsx"],
  });
  const exited = once(child, "exit");
  const message = () =>
    Promise.race([
      once(child, "message").then(([message]) => message),
      exited.then(() => Promise.reject(new Error("the manager ended"))),
    ]);
  return {
    ports: await message(),
    pid: child.pid!,
    api,
    usage: () => {
      child.send("usage");
      return message();
    },
    stop: () => end(child).finally(() => api.close()),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Starts an attack in the attacker's process. */
export type Plan = { name: keyof typeof attacks & string; options: Omit<attacks.AttackOptions, "signal" | "host"> };

export function startAttacker(plans: readonly Plan[]): { stop(): Promise<void> } {
  const local = plans.map(({ name, options }) => ({ name, options: { host: "127.0.0.1", ...options } }));
  const child = fork(at("attacker.fixture.ts"), [JSON.stringify(local)], { execArgv: ["--import", "tsx"] });
  return { stop: () => end(child) };
}

/** The outcome of genuine requests. */
export interface Outcome {
  latencies: number[];
  failures: string[];
}

/** Returns the latency in milliseconds that the given share of requests doesn't exceed. */
export function quantile({ latencies }: Outcome, share: number): number {
  const sorted = latencies.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

const perSecond = 20;

/** Sends 20 requests per second, half of them on kept connections like API servers, and half on new ones. */
export async function requestSteadily(
  seconds: number,
  send: (agent: Agent | false) => Promise<string>,
): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 25 });
  const outcome: Outcome = { latencies: [], failures: [] };
  const all: Promise<void>[] = [];
  for (let count = 0; count < seconds * perSecond; count++) {
    const begin = performance.now();
    const sent = send(count % 2 === 0 ? agent : false).catch((error: unknown) => String(error));
    all.push(
      sent.then((answer) => {
        outcome.latencies.push(performance.now() - begin);
        if (answer !== "ok") outcome.failures.push(answer);
      }),
    );
    await sleep(1000 / perSecond);
  }
  await Promise.all(all);
  agent.destroy();
  return outcome;
}

function call(
  options: { port: number; path: string; method: string; headers: Record<string, string | number> },
  agent: Agent | false,
  body?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const to = { host: "127.0.0.1", rejectUnauthorized: false, agent, timeout: longestAnswer, ...options };
    const sent = request(to, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.once("error", reject);
    });
    sent.once("timeout", () => sent.destroy(new Error("timed out")));
    sent.once("error", (error: NodeJS.ErrnoException) => {
      // Like Go's client, this replaces an idle connection that the server has closed.
      if (sent.reusedSocket && error.code === "ECONNRESET") call(options, false, body).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

/** The lengths of a field: most objects are small, and some are large. */
const lengths = [2000, 20_000, 2000, 200_000];
export const reviewBodies: readonly string[] = lengths.map((length) =>
  JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u", operation: "CREATE", object: ticket("a", { title: "x".repeat(length) }) },
  }),
);
let sent = 0;

/** Sends an AdmissionReview like an API server. Returns `ok` if the response is valid. */
export async function sendReview(port: number, agent: Agent | false): Promise<string> {
  const body = reviewBodies[sent++ % reviewBodies.length] ?? "";
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  const { status, text } = await call({ port, path: "/mutate?timeout=30s", method: "POST", headers }, agent, body);
  return status === 200 && text.includes('"allowed":true') ? "ok" : `${status} ${text.slice(0, 100)}`;
}

/** Sends a ConversionReview. Returns `ok` if the response is valid. */
export async function sendConversion(port: number, agent: Agent | false): Promise<string> {
  const object = { ...ticket("a", { title: "x" }), apiVersion: TicketV1beta1.apiVersion };
  const body = JSON.stringify({ request: { uid: "u", desiredAPIVersion: Ticket.apiVersion, objects: [object] } });
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  const { status, text } = await call({ port, path: "/convert?timeout=30s", method: "POST", headers }, agent, body);
  return status === 200 && text.includes('"status":"Success"') ? "ok" : `${status} ${text.slice(0, 100)}`;
}

/** Requests the metrics like Prometheus. Returns `ok` if they arrive. */
export async function scrape(port: number, agent: Agent | false): Promise<string> {
  const headers = { Authorization: "Bearer good" };
  const { status, text } = await call({ port, path: "/metrics", method: "GET", headers }, agent);
  return status === 200 && text.includes("process_") ? "ok" : `${status} ${text.slice(0, 100)}`;
}
