import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { selfSignedCertificate } from "../certs/self-signed.ts";
import { silentLogger } from "../log/logger.ts";
import { createMetrics, type ManagerMetrics } from "../metrics/metrics.ts";
import type { Transport } from "../transport/transport.ts";
import { MetricsServer } from "./metrics-server.ts";
import type { MetricsOptions } from "./options.ts";

let stop: AbortController;
let done: Promise<void>;
let metrics: ManagerMetrics;
let directory: string;

beforeEach(async () => {
  stop = new AbortController();
  done = Promise.resolve();
  metrics = await createMetrics();
  directory = await mkdtemp(join(tmpdir(), "kubewright-metrics-"));
});

afterEach(async () => {
  stop.abort();
  await done;
  await rm(directory, { recursive: true });
});

/** An API server that accepts the token `good`, and allows its user to read /metrics. */
const reviews: Transport = {
  async request({ path, body }) {
    const { spec } = body as { spec: { token?: string; nonResourceAttributes?: { path: string } } };
    const status = path.includes("tokenreviews")
      ? { authenticated: spec.token === "good", user: { username: "prometheus" } }
      : { allowed: spec.nonResourceAttributes?.path === "/metrics" };
    return { status: 201, headers: {}, body: { status } };
  },
  stream: () => Promise.reject(new Error("no streams")),
  close: async () => {},
};

async function start(options: MetricsOptions = {}, transport: Transport = reviews): Promise<MetricsServer> {
  const address = { host: "127.0.0.1", port: 0 };
  const server = new MetricsServer({ address, metrics, transport, logger: silentLogger, options });
  done = server.start(stop.signal);
  await expect.poll(() => server.port).toBeDefined();
  return server;
}

interface Answer {
  status: number;
  text: string;
  certificate?: string;
  protocol?: string | null;
}

function getSecurely(port: number | undefined, path: string, token?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const options = { port, path, headers, host: "127.0.0.1", rejectUnauthorized: false, agent: false };
    const sent = httpsRequest(options, (response) => {
      const socket = response.socket as TLSSocket;
      const certificate = socket.getPeerCertificate().fingerprint256;
      const protocol = socket.getProtocol();
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, certificate, protocol }));
    });
    sent.on("error", reject).end();
  });
}

const get = async (server: MetricsServer, path: string) => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return `${response.status} ${await response.text()}`;
};

async function writePair(): Promise<void> {
  const pair = await selfSignedCertificate(["localhost"]);
  await writeFile(join(directory, "tls.key"), pair.key);
  await writeFile(join(directory, "tls.crt"), pair.cert);
}

describe("the metrics server", () => {
  it("serves metrics and added handlers, and rejects a second handler for a path", async () => {
    const extra = (_request: unknown, response: { end(text: string): void }) => response.end("mine");
    const server = await start({ extraHandlers: { "/debug/state": extra } });
    expect(await get(server, "/metrics")).toContain("rest_client_requests_total");
    expect(await get(server, "/debug/state")).toBe("200 mine");
    expect(await get(server, "/other")).toMatch(/^404/);
    server.addHandler("/later", extra);
    expect(await get(server, "/later?x=1")).toBe("200 mine");
    expect(() => server.addHandler("/later", extra)).toThrow("/later is registered already");
    expect(() => server.addHandler("/metrics", extra)).toThrow("builtin /metrics");
  });

  it("measures the process from the first request on, and returns only numbers", async () => {
    const server = await start();
    expect(await metrics.registry.metrics()).not.toContain("nodejs_eventloop_lag");
    const texts = [await get(server, "/metrics"), await get(server, "/metrics")];
    const [lags, again] = texts.map((text) => [...text.matchAll(/^nodejs_eventloop_lag_(\w+)_seconds (.*)$/gm)]);
    expect(lags!.map(([, name]) => name)).toEqual(["min", "max", "mean", "stddev", "p50", "p90", "p99"]);
    for (const [line, , value] of [...lags!, ...again!]) expect(Number(value), line).toBeLessThan(60);
    expect(texts[0]).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
  });

  it("responds with 503 beyond the limits of handlerOptions", async () => {
    const server = await start({ handlerOptions: { maxRequestsInFlight: 1, timeout: 300 } });
    let finish: (text: string) => void = () => {};
    const slow = (): Promise<string> =>
      new Promise((resolve) => {
        finish = resolve;
      });
    metrics.registry.registerMetric({ name: "slow", get: slow, getMetricAsPrometheusString: slow } as never);
    const first = get(server, "/metrics");
    const collecting = finish;
    await expect.poll(() => finish).not.toBe(collecting);
    expect(await get(server, "/metrics")).toBe("503 Limit of concurrent requests reached (1), try again later.\n");
    expect(await first).toBe("503 Exceeded configured timeout of 300 ms.\n");
    metrics.registry.removeSingleMetric("slow");
    finish("");
    await expect.poll(() => get(server, "/metrics")).toMatch(/^200/);
  });

  it("responds with 500 if a metric can't be collected, and continues", async () => {
    const server = await start();
    metrics.registry.registerMetric({
      name: "broken",
      get: () => Promise.reject(new Error("no")),
      getMetricAsPrometheusString: () => Promise.reject(new Error("no")),
    } as never);
    expect(await get(server, "/metrics")).toMatch(/^500 metrics can't be gathered/);
    metrics.registry.removeSingleMetric("broken");
    expect(await get(server, "/metrics")).toMatch(/^200/);
  });

  it("responds with 500 for a handler that throws or rejects, and continues", async () => {
    const server = await start({
      extraHandlers: {
        "/throws": () => {
          throw new Error("thrown");
        },
        "/rejects": (() => Promise.reject(new Error("rejected"))) as () => void,
      },
    });
    expect(await get(server, "/throws")).toMatch(/^500/);
    expect(await get(server, "/rejects")).toMatch(/^500/);
    expect(await get(server, "/metrics")).toMatch(/^200/);
  });

  it("allows only authenticated and authorized callers with secureServing, also for extra paths", async () => {
    const server = await start({
      secureServing: true,
      extraHandlers: { "/extra": (_request, response) => response.end() },
    });
    const status = async (path: string, token?: string) => (await getSecurely(server.port, path, token)).status;
    expect(await status("/metrics")).toBe(401);
    expect(await status("/metrics", "bad")).toBe(401);
    expect(await status("/extra", "good")).toBe(403);
    expect(await status("/metrics", "good")).toBe(200);
  });

  it("responds with 500 with secureServing if the caller can't be authenticated", async () => {
    const down: Transport = { ...reviews, request: () => Promise.reject(new Error("down")) };
    const server = await start({ secureServing: true }, down);
    expect(await getSecurely(server.port, "/metrics", "good")).toMatchObject({ status: 500 });
  });

  it("uses a filterProvider instead of the API server", async () => {
    const server = await start({
      filterProvider: (listener) => (request, response) =>
        request.headers["x-key"] === "k" ? listener(request, response) : response.writeHead(418).end(),
    });
    expect(await get(server, "/metrics")).toMatch(/^418/);
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: { "x-key": "k" } });
    expect(answer.status).toBe(200);
  });

  it("serves a renewed certificate, counts its reads, and keeps the TLS options", async () => {
    await writePair();
    const tlsOpts = [
      (options: { minVersion?: string }) => {
        options.minVersion = "TLSv1.3";
      },
    ];
    const server = await start({ secureServing: true, certDir: directory, tlsOpts });
    const first = await getSecurely(server.port, "/metrics", "good");
    expect(first.text).toContain("certwatcher_read_certificate_total 1");
    expect(first.protocol).toBe("TLSv1.3");
    await writePair();
    await expect
      .poll(async () => (await getSecurely(server.port, "/metrics", "good")).certificate)
      .not.toBe(first.certificate);
    const second = await getSecurely(server.port, "/metrics", "good");
    expect(second.text).toMatch(/certwatcher_read_certificate_total [2-9]/);
    expect(second.protocol).toBe("TLSv1.3");
  });
});
