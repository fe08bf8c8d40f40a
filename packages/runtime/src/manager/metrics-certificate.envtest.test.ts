// Serves metrics with the manager's self-managed webhook certificate, and reads them like Prometheus, by service name and CA.
import { request } from "node:https";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Secret } from "../api/core/v1.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { silentLogger } from "../log/logger.ts";
import { selfManagedCertificatesFromEnv } from "../webhook/self-managed/from-env.ts";
import { Manager } from "./manager.ts";
import { eventually } from "./widget.fixture.ts";

const environment = new TestEnvironment();
const stop = new AbortController();
const key = { namespace: "default", name: "op-cert" };
const env = { POD_NAMESPACE: "default", WEBHOOK_CERT_SECRET: key.name, WEBHOOK_SERVICE: "op-webhooks" };
let done: Promise<void> = Promise.resolve();
let mgr: Manager;

beforeAll(async () => {
  const config = await environment.start();
  mgr = await Manager.create(config, {
    logger: silentLogger,
    metrics: { bindAddress: "127.0.0.1:0", secureServing: true },
    webhook: {
      host: "127.0.0.1",
      port: 0,
      selfManagedCertificates: selfManagedCertificatesFromEnv({ ...env, METRICS_SERVICE: "op-metrics" }),
    },
  });
  await mgr.client.create({ apiVersion: "v1", kind: "Secret", metadata: key } as Secret);
  mgr.webhookServer.register("/hook", (_request, response) => void response.end());
  done = mgr.start(stop.signal);
  await eventually(() => expect([mgr.webhookServer.port, mgr.metricsPort]).not.toContain(undefined));
});

afterAll(async () => {
  stop.abort();
  await done;
  await environment.stop();
});

interface Answer {
  readonly status: number | undefined;
  readonly certificate: string;
}

/** Sends a request with a server name that the certificate must contain. */
function ask(port: number | undefined, servername: string, ca: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, servername, ca, path: "/metrics", agent: false }, (response) => {
      const certificate = (response.socket as TLSSocket).getPeerCertificate().fingerprint256;
      response.resume().on("end", () => resolve({ status: response.statusCode, certificate }));
    });
    sent.on("error", reject).end();
  });
}

it("the CA in the Secret verifies the certificate of metrics under the names of their Service", async () => {
  const { data = {} } = await mgr.apiReader.get(Secret, key);
  const ca = Buffer.from(data["ca.crt"] ?? "", "base64").toString();
  const answers = await Promise.all([
    ask(mgr.metricsPort, "op-metrics.default.svc", ca),
    ask(mgr.metricsPort, "op-metrics.default.svc.cluster.local", ca),
    ask(mgr.webhookServer.port, "op-webhooks.default.svc", ca),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 404]);
  expect(new Set(answers.map(({ certificate }) => certificate)).size).toBe(1);
  await expect(ask(mgr.metricsPort, "other.default.svc", ca)).rejects.toThrow("does not match");
});
