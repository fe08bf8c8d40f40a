import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { Agent, createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import type { CertificatePair } from "../certs/certificate-pair.ts";
import { selfSignedCertificate } from "../certs/self-signed.ts";
import { createAuthority } from "../envtest/host/certificates.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { allowed } from "./admission/response.ts";
import { handshake, json, review, send, startServer, testCertificate } from "./server.fixture.ts";
import type { WebhookServer } from "./server.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-webhook-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const files = { certificates: undefined };
const simple = (server: WebhookServer) => server.register("/x", { handle: () => allowed() });

/** Writes files like kubelet mounts a Secret: as links into a directory, which is a link itself. */
function mount(pair: Partial<CertificatePair>): void {
  const version = `..${Date.now()}-${Math.random()}`;
  mkdirSync(join(directory, version));
  if (pair.cert !== undefined) writeFileSync(join(directory, version, "tls.crt"), pair.cert);
  if (pair.key !== undefined) writeFileSync(join(directory, version, "tls.key"), pair.key);
  symlinkSync(version, join(directory, "..data_tmp"));
  renameSync(join(directory, "..data_tmp"), join(directory, "..data"));
  for (const name of ["tls.crt", "tls.key"]) {
    rmSync(join(directory, name), { force: true });
    symlinkSync(join("..data", name), join(directory, name));
  }
}

async function servedCertificate(port: number): Promise<string> {
  const socket = await handshake(port);
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw).fingerprint256;
}

const fingerprint = ({ cert }: CertificatePair): string => new X509Certificate(cert).fingerprint256;

describe("W8: certificate files", () => {
  it("are required at the start", async () => {
    await expect(startServer(simple, { ...files, certDir: directory })).rejects.toThrow(/ENOENT.*tls\.crt/);
  });

  it("must contain a matching pair", async () => {
    const [served, other] = await Promise.all([testCertificate(), selfSignedCertificate(["other"])]);
    mount({ cert: served.cert, key: other.key });
    await expect(startServer(simple, { ...files, certDir: directory })).rejects.toThrow(/key values mismatch/i);
  });

  it("are read again after a change, without closing connections, and an invalid pair is ignored", async () => {
    const [first, second] = await Promise.all([testCertificate(), selfSignedCertificate(["second"])]);
    mount(first);
    const metrics = await createMetrics();
    const t = await startServer(simple, { ...files, certDir: directory }, { metrics: metrics.webhooks });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () => send(t.port, { path: "/x", headers: json, agent }, '{"request":{"uid":"u"}}');
    await ask();
    expect(await servedCertificate(t.port)).toBe(fingerprint(first));

    mount({ cert: second.cert, key: first.key });
    await expect
      .poll(async () => await metrics.registry.metrics())
      .toMatch(/certwatcher_read_certificate_errors_total [1-9]/);
    expect(await servedCertificate(t.port)).toBe(fingerprint(first));

    mount(second);
    await expect.poll(() => servedCertificate(t.port)).toBe(fingerprint(second));
    await ask();
    expect(Object.values(agent.sockets).concat(Object.values(agent.freeSockets)).flat()).toHaveLength(1);
    expect(await metrics.registry.metrics()).toMatch(/certwatcher_read_certificate_total (?:[2-9]|\d\d)/);
    agent.destroy();
    await t.stop();
    // If the system doesn't report file changes, each of the two reads can take ten seconds.
  });

  it("can have other names", async () => {
    const { cert, key } = await testCertificate();
    writeFileSync(join(directory, "a.pem"), cert);
    writeFileSync(join(directory, "b.pem"), key);
    const t = await startServer(simple, { ...files, certDir: directory, certName: "a.pem", keyName: "b.pem" });
    expect((await review(t.port, "/x", {})).response.allowed).toBe(true);
    await t.stop();
  });

  it("aren't required: without them, the server creates a temporary certificate", async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = directory;
    try {
      const t = await startServer(simple, files);
      const socket = await handshake(t.port);
      const certificate = new X509Certificate(socket.getPeerCertificate().raw);
      socket.destroy();
      expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
      expect(certificate.checkHost("localhost")).toBe("localhost");
      expect((await review(t.port, "/x", {})).response.allowed).toBe(true);
      await t.stop();
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });

  it("are read from the default directory if no directory is set", async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = directory;
    const pair = await selfSignedCertificate(["default"]);
    try {
      const certDir = join(directory, "k8s-webhook-server", "serving-certs");
      mkdirSync(certDir, { recursive: true });
      writeFileSync(join(certDir, "tls.crt"), pair.cert);
      writeFileSync(join(certDir, "tls.key"), pair.key);
      const t = await startServer(simple, files);
      expect(await servedCertificate(t.port)).toBe(fingerprint(pair));
      await t.stop();
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});

describe("the TLS configuration", () => {
  it("requires a client certificate if a client CA is set", async () => {
    const [authority, stranger] = await Promise.all([createAuthority(), createAuthority()]);
    const { cert, key } = await testCertificate();
    writeFileSync(join(directory, "tls.crt"), cert);
    writeFileSync(join(directory, "tls.key"), key);
    writeFileSync(join(directory, "client-ca.crt"), authority.cert);
    const t = await startServer(simple, { ...files, certDir: directory, clientCAName: "client-ca.crt" });
    const ask = (credentials: object) =>
      send(t.port, { path: "/x", headers: json, ...credentials }, '{"request":{"uid":"u"}}');
    expect((await ask(await authority.issueClient("apiserver", []))).status).toBe(200);
    await expect(ask({})).rejects.toThrow();
    await expect(ask(await stranger.issueClient("apiserver", []))).rejects.toThrow();
    await expect(t.server.startedChecker(undefined as never)).resolves.toBeUndefined();
    await t.stop();
  });

  it("requires the file of the client CA", async () => {
    const { cert, key } = await testCertificate();
    writeFileSync(join(directory, "tls.crt"), cert);
    writeFileSync(join(directory, "tls.key"), key);
    const options = { ...files, certDir: directory, clientCAName: "client-ca.crt" };
    await expect(startServer(simple, options)).rejects.toThrow(/ENOENT.*client-ca\.crt/);
  });

  it("has a minimum version, and tlsOpts are applied last", async () => {
    const t = await startServer(simple, { tlsMinVersion: "TLSv1.3" });
    await expect(handshake(t.port, { maxVersion: "TLSv1.2" })).rejects.toThrow();
    (await handshake(t.port)).destroy();
    await t.stop();
    const other = await startServer(simple, { tlsOpts: [(tls) => void Object.assign(tls, { maxVersion: "TLSv1.2" })] });
    await expect(handshake(other.port, { minVersion: "TLSv1.3" })).rejects.toThrow();
    const old = await handshake(other.port);
    expect(old.getProtocol()).toBe("TLSv1.2");
    old.destroy();
    await other.stop();
  });

  it("supports HTTP/2 only if configured, and HTTP/1.1 always", async () => {
    const plain = await startServer(simple);
    const offered = { ALPNProtocols: ["h2", "http/1.1"] };
    const socket = await handshake(plain.port, offered);
    expect(socket.alpnProtocol).toBe("http/1.1");
    socket.destroy();
    await plain.stop();

    const both = await startServer(simple, { enableHTTP2: true });
    expect((await review(both.port, "/x", {})).response.allowed).toBe(true);
    const session = connectHttp2(`https://127.0.0.1:${both.port}`, { rejectUnauthorized: false });
    await once(session, "remoteSettings");
    const ask = () =>
      new Promise<string>((resolve, reject) => {
        const stream = session.request({ ":path": "/x", ":method": "POST", "content-type": "application/json" });
        let text = "";
        stream.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        stream.on("end", () => resolve(text)).on("error", reject);
        stream.end('{"request":{"uid":"h2"}}');
      });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect(answers.every((text) => text.includes('"uid":"h2","allowed":true'))).toBe(true);
    session.close();
    await both.stop();
  });

  fullTest("that stops closes idle connections of HTTP/2, and new ones after five seconds", async () => {
    const { port, stop } = await startServer(simple, { enableHTTP2: true });
    const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    await once(session, "remoteSettings");
    const idle = await handshake(port);
    await stop();
    idle.destroy();
    session.close();
  });
});

describe("the webhook server", () => {
  it("is ready after it responds", async () => {
    const t = await startServer(simple);
    await expect(t.server.startedChecker(undefined as never)).resolves.toBeUndefined();
    await t.stop();
    await expect(t.server.startedChecker(undefined as never)).rejects.toThrow("webhook server is not reachable");
  });

  it("rejects if the port is in use", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const { port } = holder.address() as { port: number };
    await expect(startServer(simple, { port })).rejects.toThrow("EADDRINUSE");
    holder.close();
  });

  it("is disabled by port -1", async () => {
    const t = await startServer(simple, { port: -1 });
    expect(t.server.port).toBeUndefined();
    await expect(t.server.startedChecker(undefined as never)).resolves.toBeUndefined();
    await t.stop();
  });

  it("serves paths that are added later, and rejects a duplicate path", async () => {
    const t = await startServer(simple);
    expect((await send(t.port, { path: "/later", headers: json }, "{}")).status).toBe(404);
    t.server.register("/later", { handle: () => allowed() });
    expect((await review(t.port, "/later", {})).response.allowed).toBe(true);
    expect(() => t.server.register("/later", { handle: () => allowed() })).toThrow(
      "can't register duplicate path: /later",
    );
    await t.stop();
  });

  it("accepts two slashes in paths, which Go's envtest writes", async () => {
    const t = await startServer(simple);
    expect((await review(t.port, "//x", {})).response.allowed).toBe(true);
    await t.stop();
  });
});

it("the metrics of webhooks have the names of controller-runtime", async () => {
  const metrics = await createMetrics();
  expect(await metrics.registry.metrics()).not.toContain("{webhook=");
  const t = await startServer(
    (server) => {
      simple(server);
      server.register("/bug", { handle: () => Promise.reject("bug") });
    },
    {},
    { metrics: metrics.webhooks },
  );
  expect(await metrics.registry.metrics()).toContain(
    'controller_runtime_webhook_requests_total{webhook="/x",code="500"} 0',
  );
  await review(t.port, "/x", {});
  await review(t.port, "/bug", {});
  await send(t.port, { path: "/absent" }, "");
  await t.stop();
  const text = await metrics.registry.metrics();
  for (const line of [
    'controller_runtime_webhook_requests_total{webhook="/x",code="200"} 1',
    'controller_runtime_webhook_latency_seconds_count{webhook="/x"} 1',
    'controller_runtime_webhook_latency_seconds_bucket{le="1e-08",webhook="/x"} 0',
    'controller_runtime_webhook_requests_in_flight{webhook="/x"} 0',
    "controller_runtime_webhook_panics_total 1",
    "controller_runtime_conversion_webhook_panics_total 0",
  ]) {
    expect(text).toContain(line);
  }
  expect(text).not.toContain("/absent");
});
