import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { mostProcessorTime, processorTime } from "../../../../scripts/test-support/processor-time.ts";
import type { KubernetesObject } from "../api/index.ts";
import { storedObject } from "../client/answers.ts";
import { Cluster } from "../cluster/cluster.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import { createAuthority } from "../envtest/host/certificates.ts";
import { newEvent } from "../events/event.ts";
import { inSpan, type Tracer } from "../tracing/tracer.ts";
import { createTransport } from "../transport/create-transport.ts";
import { startLoopbackServer } from "../transport/loopback-server.ts";
import { createLogger } from "./create-logger.ts";
import { errorText } from "./error-text.ts";

/** The text that must never be leaked, plain or in base64. */
const leak = "hunter2hunter2";
const base64 = Buffer.from(leak).toString("base64");
const pem = `-----BEGIN EC PRIVATE KEY-----\n${base64}\n-----END EC PRIVATE KEY-----\n`;
const jwt = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(`{"sub":"${leak}"}`).toString("base64url")}.c2lnbmF0dXJl`;

const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    name: "db",
    namespace: "ns",
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ data: { password: base64 } }) },
  },
  data: { password: base64, certificate: base64 },
  stringData: { other: leak },
};
const bare = { metadata: { name: "db" }, type: "Opaque", data: { any: base64 } };
const config: Config = {
  host: `https://me:${leak}@example.com`,
  token: leak,
  password: leak,
  cert: "-----BEGIN CERTIFICATE-----\n",
  key: leak,
  proxyUrl: `http://me:${leak}@proxy:3128`,
  exec: {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "login",
    args: ["--secret", leak],
    env: [{ name: "ANYTHING", value: leak }],
  },
};
const kubeconfig = {
  apiVersion: "v1",
  kind: "Config",
  users: [
    { name: "a", user: { token: leak, "client-key-data": base64, password: leak } },
    { name: "b", user: { exec: { command: "login", args: [leak], env: [{ name: "X", value: leak }] } } },
    {
      name: "c",
      user: {
        "auth-provider": { name: "oidc", config: { "id-token": leak, "refresh-token": leak, "client-secret": leak } },
      },
    },
  ],
};
const circle: Record<string, unknown> = { secret };
circle.self = circle;
let deep: unknown = secret;
for (let level = 0; level < 9000; level++) deep = level % 2 ? [deep] : { deep };

class Holder {
  readonly secrets = [secret];
  readonly config = config;
}

const values: [name: string, value: unknown][] = [
  ["a Secret", secret],
  ["a Secret without kind", bare],
  ["a SecretList", { apiVersion: "v1", kind: "SecretList", items: [{ metadata: { name: "a" }, data: { x: base64 } }] }],
  ["a List of Secrets", { apiVersion: "v1", kind: "List", items: [secret] }],
  ["a list of Secrets", [secret, bare]],
  ["Secrets in a map in a list", { all: [{ byName: { db: secret } }] }],
  ["a class that holds Secrets", new Holder()],
  ["a value with toJSON", { toJSON: () => secret }],
  ["an admission request", { request: { kind: { kind: "Secret" }, object: secret, oldObject: secret } }],
  ["a patch of a Secret", [{ op: "replace", path: "/data/password", value: base64 }]],
  ["a patch of one field", [{ op: "add", path: "/spec/clientSecret", value: leak }]],
  ["a configuration", config],
  ["a configuration in a list in an object", { list: [{ config }] }],
  ["a configuration with key and token alone", { host: "https://x", key: pem, token: leak }],
  ["a kubeconfig", kubeconfig],
  ["the text of a kubeconfig", JSON.stringify(kubeconfig)],
  ["the text of a Secret", JSON.stringify(secret, undefined, 2)],
  ["the text of a Secret with its kind at the end", JSON.stringify({ data: { a: base64 }, kind: "Secret" })],
  ["the YAML of a Secret", `apiVersion: v1\nkind: Secret\ndata:\n  a: ${base64}\n`],
  ["a private key", pem],
  ["a token within a text", `the server refused Bearer ${leak}`],
  ["a JSON web token", `got ${jwt} back`],
  ["headers", { headers: { Authorization: `Bearer ${leak}`, cookie: `session=${leak}`, "X-Auth-Token": leak } }],
  ["headers as list", [{ name: "Authorization", value: `Basic ${base64}` }]],
  ["variables", { env: [{ name: "DB_PASSWORD", value: leak }] }],
  ["a command line", `login --password ${leak} --token=${leak}`],
  ["a URL with password", `proxy http://me:${leak}@proxy:3128 is gone`],
  [
    "names of fields",
    {
      accessToken: leak,
      client_secret: leak,
      "api-key": leak,
      dbPassword: leak,
      passwords: { token: [leak] },
    },
  ],
  ["bytes", { token: Buffer.from(leak), other: { data: Buffer.from(leak) } }],
  ["a circle", circle],
  ["a deep value", deep],
  ["an error", Object.assign(new Error(`refused: Authorization: Bearer ${leak}`), { config, secret })],
  ["an error with causes", new Error("x", { cause: new Error(`password=${leak}`, { cause: secret }) })],
  ["an error in a list in an object", { errors: [new Error(`token=${leak}`)] }],
  ["a thrown Secret", { thrown: secret }],
];

function expectNoSecret(text: string): void {
  expect(text).not.toContain(leak);
  expect(text).not.toContain(base64);
  expect(text).not.toContain(base64.replace(/=+$/, ""));
  expect(text).not.toContain(jwt);
}

describe("credentials in logs and errors", () => {
  const directory = mkdtempSync(join(tmpdir(), "secrets-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  describe.each([
    ["JSON", { encoder: "json" }],
    ["JSON in development", { encoder: "json", development: true }],
    ["console", { encoder: "console", development: true }],
  ] as const)("%s", (_, options) => {
    it.each(values)("don't appear if the value is %s", (__, value) => {
      const lines: string[] = [];
      const log = createLogger({
        ...options,
        level: 5,
        stacktraceLevel: "info",
        destination: { write: (line) => void lines.push(line) },
      });
      log.debug("field", { value });
      log.info("nested", { outer: { inner: [value] } });
      log.warn(typeof value === "string" ? value : "x", { value });
      log.error(value, "thrown");
      log.error(new Error("wrapped", { cause: value }), "cause");
      log.with({ value }).info("child");
      expect(lines.length).toBeGreaterThan(5);
      expectNoSecret(lines.join(""));
    });

    it("don't appear in fields with a sensitive name", () => {
      const lines: string[] = [];
      const log = createLogger({ ...options, destination: { write: (line) => void lines.push(line) } });
      log.info("x", {
        token: leak,
        password: leak,
        bearerToken: leak,
        stringData: { a: leak },
      });
      expectNoSecret(lines.join(""));
    });
  });

  it("are hidden, but no other values", () => {
    const records: Record<string, unknown>[] = [];
    const log = createLogger({
      development: true,
      encoder: "json",
      stacktraceLevel: "panic",
      destination: { write: (line) => void records.push(JSON.parse(line)) },
    });
    const plain = {
      game: { name: "a", namespace: "b" },
      secret: "webhook-server-cert",
      secretName: "x",
      tokenFile: "/var/run/token",
      key: "app.kubernetes.io/name",
      configMap: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: "b" } },
      automountServiceAccountToken: true,
      url: "https://example.com/path?limit=500",
      reference: { kind: "Secret", name: "db" },
    };
    log.info("failed to read the token: it is empty", plain);
    expect(records[0]).toMatchObject({ msg: "failed to read the token: it is empty", ...plain });
    log.info("x", { secret });
    expect(records[1]?.secret).toMatchObject({ metadata: { name: "db" }, data: { password: "[redacted]" } });
    expect(secret.data.password).toBe(base64);
  });

  it("don't appear, and lines stay complete and fast, if the values are hostile", () => {
    const lines: string[] = [];
    const log = createLogger({
      development: true,
      encoder: "json",
      destination: { write: (line) => void lines.push(line) },
    });
    const bomb: unknown[] = [];
    for (let level = 0, list = bomb; level < 30; level++) {
      const next: unknown[] = [];
      list.push(next, next);
      list = next;
    }
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const circular = new Error("circle");
    circular.cause = circular;
    const getter = {
      get token(): string {
        throw new Error("no");
      },
    };
    const unreadable = Object.defineProperty(new Error("x"), "message", {
      get: () => {
        throw new Error("no");
      },
    });
    const used = processorTime();
    for (const value of [
      bomb,
      revoked.proxy,
      getter,
      circular,
      unreadable,
      "=token".repeat(100_000),
      '"token":"'.repeat(50_000),
    ]) {
      log.info("line", { value, nested: { value } });
      log.error(value, "thrown");
    }
    expect(used()).toBeLessThan(mostProcessorTime);
    expect(lines).toHaveLength(14);
  });

  it("don't appear in a configuration as JSON or in `util.inspect`, whatever its source is", async () => {
    const file = join(directory, "kubeconfig");
    const users = [
      {
        name: "u",
        user: {
          ...kubeconfig.users[0]!.user,
          "client-key-data": Buffer.from(pem).toString("base64"),
          "client-certificate-data": Buffer.from("-----BEGIN CERTIFICATE-----\n").toString("base64"),
          exec: config.exec,
        },
      },
    ];
    writeFileSync(
      file,
      JSON.stringify({
        ...kubeconfig,
        users,
        clusters: [{ name: "c", cluster: { server: "https://example.com" } }],
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        "current-context": "x",
      }),
    );
    const loaded = loadConfig({ kubeconfig: file });
    expect([loaded.token, loaded.key, loaded.exec?.args]).toEqual([leak, pem, ["--secret", leak]]);
    const pair = await (await createAuthority()).issueClient("jane", []);
    const cluster = await Cluster.create({ ...config, ...pair });
    const firstLine = pair.key.split("\n")[1];
    for (const connection of [loaded, cluster.config]) {
      for (const text of [
        JSON.stringify({ each: connection }),
        inspect({ each: connection }, { depth: 9, showHidden: false }),
        inspect(connection),
        `${connection}`,
      ]) {
        expectNoSecret(text);
        for (const part of [Buffer.from(pem).toString("base64"), firstLine]) expect(text).not.toContain(part);
      }
      expect(JSON.stringify(connection)).toContain("example.com");
    }
    expect(structuredClone(loaded)).toEqual({ ...loaded });
    expect(inspect(cluster, { depth: 5 })).not.toContain(leak);
    await cluster.close();
  });

  it("don't appear in the error for an invalid kubeconfig", () => {
    const file = join(directory, "broken");
    for (const text of [
      `users:\n- name: a\n  user:\n    token: ${leak}: [\n`,
      `token: *${leak}\n`,
      `token: "${leak}\n  x: [`,
    ]) {
      writeFileSync(file, text);
      const load = (): unknown => loadConfig({ kubeconfig: file });
      expect(load).toThrow(expect.any(Error));
      expect(load).toThrow(expect.toSatisfy((error: unknown) => expectNoSecret(inspect(error)) === undefined));
    }
  });

  it.each([
    ["echoes its arguments", "console.error('usage: ' + process.argv.slice(2).join(' ')); process.exit(1)"],
    ["echoes its environment", "console.error('bad value ' + process.env.LOGIN_VALUE); process.exit(1)"],
    ["prints a token", `console.error('token ${jwt} has expired'); process.exit(1)`],
    ["prints an opaque key", "console.error('refused AKIA1234567890ABCDEFGHIJ'); process.exit(1)"],
    ["prints nothing", `console.log('{"status":{"token":"${leak}"}}'); process.exit(1)`],
    ["prints invalid JSON", `console.log('token=${leak}')`],
  ])("don't appear in the error if a credential plugin fails and %s", async (_, script) => {
    const path = join(directory, "plugin.cjs");
    writeFileSync(path, `#!${process.execPath}\n${script}`, { mode: 0o755 });
    const transport = createTransport({
      host: "https://127.0.0.1:1",
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: path,
        args: ["login", "--secret", leak],
        env: [{ name: "LOGIN_VALUE", value: leak }],
      },
    });
    const error: unknown = await transport.request({ method: "GET", path: "/" }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    for (const text of [errorText(error), inspect(error, { depth: 9 }), (error as Error).stack ?? ""]) {
      expectNoSecret(text);
      expect(text).not.toContain("AKIA1234567890");
    }
    expect((error as Error).message).toContain("plugin.cjs");
    await transport.close();
  });

  it("don't appear in errors for invalid responses, which may contain Secrets", async () => {
    const body = `{"kind":"Secret","data":{"password":"${base64}"}`;
    const server = await startLoopbackServer((request, response) => {
      const type = request.url.includes("html") ? "text/html" : "application/json";
      response.writeHead(request.url.includes("fails") ? 500 : 200, { "content-type": type });
      response.end(`${body}\n`);
    });
    const transport = createTransport({ host: server.url });
    try {
      for (const path of ["", "?html", "?fails", "?html&fails"]) {
        const url = `/api/v1/namespaces/ns/secrets/db${path}`;
        const error = await transport.request({ method: "GET", path: url }).catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(Error);
        expectNoSecret(inspect(error, { depth: 9 }));
      }
      const stream = await transport.stream({ method: "GET", path: "/api/v1/secrets?watch=1" });
      const failed = (async () => {
        for await (const _ of stream) expect(_).toBe("never");
      })().catch((caught: unknown) => caught);
      expectNoSecret(inspect(await failed, { depth: 9 }));
    } finally {
      await transport.close();
      await server.close();
    }
    const resource = {
      group: "",
      version: "v1",
      apiVersion: "v1",
      kind: "Secret",
      plural: "secrets",
      namespaced: true,
    };
    expect(() => storedObject({ kind: "Secret", data: { a: base64 } }, resource as never, "GET /x")).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(base64) }),
    );
  });

  it("don't appear in events and spans", async () => {
    const object: KubernetesObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };
    const event = newEvent({
      controller: "c",
      object,
      type: "Normal",
      reason: "R",
      note: `Bearer ${leak}`,
      options: {},
      date: new Date(0),
      sequence: 1,
    });
    expectNoSecret(JSON.stringify(event));
    const seen: unknown[] = [];
    const span = {
      setAttribute: (...all: unknown[]) => seen.push(all),
      setStatus: (status: unknown) => seen.push(status),
      recordException: (error: unknown) => void seen.push(inspect(error)),
      spanContext: () => ({ traceId: "", spanId: "", traceFlags: 0 }),
      end() {},
    };
    const tracer = {
      startActiveSpan: (_name: string, _options: unknown, run: (given: typeof span) => unknown) => run(span),
    } as unknown as Tracer;
    for (const thrown of [new Error(`token=${leak}`), secret]) {
      await inSpan(tracer, "x", {}, async () => {
        throw thrown;
      }).catch(() => {});
    }
    expect(seen.length).toBe(4);
    expectNoSecret(inspect(seen, { depth: 9 }));
  });
});
