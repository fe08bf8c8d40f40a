import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import type { Config, ExecConfig } from "../config/config.ts";
import { isUnauthorized } from "../errors/predicates.ts";
import { createTransport } from "./create-transport.ts";
import { ExecCredentials } from "./exec-credentials.ts";
import { json, type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";
import { TokenFile } from "./token-file.ts";
import type { Transport } from "./transport.ts";

let directory: string;
let server: LoopbackServer;
let accepted: string;
const transports: Transport[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-credentials-"));
  accepted = "Bearer one";
  server = await startLoopbackServer((request, response) => {
    if (request.headers.authorization === accepted) json(response, 200, {});
    else
      json(response, 401, { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Unauthorized", code: 401 });
  });
});

afterEach(async () => {
  for (const transport of transports.splice(0)) await transport.close();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(config: Partial<Config>): Transport {
  const transport = createTransport({ host: server.url, ...config });
  transports.push(transport);
  return transport;
}

const request = { method: "POST" as const, path: "/x", body: {} };
const sent = (): (string | undefined)[] => server.requests.map((one) => one.headers.authorization);

describe("fixed credentials", () => {
  it("contain a token", async () => {
    await open({ token: "one" }).request(request);
    expect(sent()).toEqual(["Bearer one"]);
  });

  it("contain user and password", async () => {
    accepted = `Basic ${Buffer.from("jane:pä:ss").toString("base64")}`;
    await open({ username: "jane", password: "pä:ss" }).request(request);
    expect(sent()).toEqual([accepted]);
  });

  it("are sent only once if the server rejects them", async () => {
    const error = await open({ token: "wrong" })
      .request(request)
      .catch((caught: unknown) => caught);
    expect(isUnauthorized(error)).toBe(true);
    expect(sent()).toEqual(["Bearer wrong"]);
  });
});

describe("a token file", () => {
  it("is read again after a 401, and the write is repeated with the new token", async () => {
    const tokenFile = join(directory, "token");
    writeFileSync(tokenFile, "one\n");
    const transport = open({ tokenFile, token: "ignored" });
    await transport.request(request);
    writeFileSync(`${tokenFile}.new`, "two\n");
    renameSync(`${tokenFile}.new`, tokenFile);
    accepted = "Bearer two";
    await transport.request(request);
    expect(sent()).toEqual(["Bearer one", "Bearer one", "Bearer two"]);
  });

  it("isn't used again if it contains the same token", async () => {
    const tokenFile = join(directory, "token");
    writeFileSync(tokenFile, "other");
    await expect(open({ tokenFile }).request(request)).rejects.toSatisfy(isUnauthorized);
    expect(sent()).toEqual(["Bearer other"]);
  });

  it("is read again after ten seconds, and the old token is used if the file is missing", async () => {
    const path = join(directory, "token");
    writeFileSync(path, "one");
    let now = 0;
    const file = new TokenFile(path, undefined, () => now);
    expect(await file.current()).toEqual({ authorization: "Bearer one" });
    writeFileSync(path, "two");
    now = 9_000;
    expect(await file.current()).toEqual({ authorization: "Bearer one" });
    now = 11_000;
    expect(await file.current()).toEqual({ authorization: "Bearer two" });
    rmSync(path);
    now = 30_000;
    expect(await file.current()).toEqual({ authorization: "Bearer two" });
  });

  it("causes an error of one line if it is missing", async () => {
    await expect(open({ tokenFile: join(directory, "none") }).request(request)).rejects.toThrow(
      /^can't read the token file .*none: ENOENT/,
    );
  });
});

describe("a credential plugin", () => {
  function plugin(script: string, more: Partial<ExecConfig> = {}): ExecConfig {
    const path = join(directory, "plugin.cjs");
    writeFileSync(path, `#!${process.execPath}\n${script}`);
    chmodSync(path, 0o755);
    return {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "./plugin.cjs",
      directory,
      interactiveMode: "Never",
      ...more,
    };
  }
  const credential = (status: string): string =>
    `console.log(JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: ${status} }))`;
  const count = `const fs = require("node:fs"); fs.appendFileSync(__dirname + "/runs", "x"); const runs = fs.readFileSync(__dirname + "/runs", "utf8").length;`;
  const runs = (): number =>
    existsSync(join(directory, "runs")) ? readFileSync(join(directory, "runs"), "utf8").length : 0;

  it("runs once for all requests, with its arguments, environment and cluster", async () => {
    const exec = plugin(
      `${count} const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
      fs.writeFileSync(__dirname + "/seen", JSON.stringify({ info, args: process.argv.slice(2), more: process.env.MORE }));
      ${credential('{ token: "one" }')}`,
      {
        args: ["get", "token"],
        env: [{ name: "MORE", value: "1" }],
        provideClusterInfo: true,
        cluster: { server: "https://k8s" },
      },
    );
    const transport = open({ exec });
    await Promise.all([transport.request(request), transport.request(request)]);
    await transport.request(request);
    expect(runs()).toBe(1);
    expect(JSON.parse(readFileSync(join(directory, "seen"), "utf8"))).toEqual({
      info: {
        apiVersion: "client.authentication.k8s.io/v1",
        kind: "ExecCredential",
        spec: { interactive: false, cluster: { server: "https://k8s" } },
      },
      args: ["get", "token"],
      more: "1",
    });
  });

  const oneHour = `${count} ${credential('{ token: "one", expirationTimestamp: new Date(Date.now() + 3600_000).toISOString() }')}`;

  it("runs again after its credentials have expired", async () => {
    let passed = 0;
    const clock = () => Date.now() + passed;
    const credentials = new ExecCredentials(plugin(oneHour), clock, () => performance.now() + passed);
    for (const [minutes, expected] of [
      [0, 1],
      [59, 1],
      [61, 2],
    ] as const) {
      passed = minutes * 60_000;
      await credentials.current();
      expect(runs()).toBe(expected);
    }
  });

  fullTest("doesn't run for each request if the clock of this machine is wrong", async () => {
    let ahead = 0;
    let passed = 0;
    const credentials = new ExecCredentials(
      plugin(oneHour),
      () => Date.now() + ahead,
      () => passed,
    );
    await credentials.current();
    // All credentials of the plugin are expired from now on.
    ahead = 5 * 3_600_000;
    passed = 60_000;
    for (let turn = 0; turn < 5; turn++) await credentials.current();
    expect(runs()).toBe(2);
    passed += 9000;
    await credentials.current();
    expect(runs()).toBe(2);
    passed += 2000;
    await credentials.current();
    expect(runs()).toBe(3);
    // With a clock that is behind, expired credentials look valid until the server rejects them.
    ahead = -5 * 3_600_000;
    const refused = await credentials.current();
    expect(runs()).toBe(3);
    await credentials.renew(refused);
    expect(runs()).toBe(4);
  });

  it("runs again if the server rejects its credentials", async () => {
    const refused = open({ exec: plugin(`${count} ${credential('{ token: runs === 1 ? "one" : "two" }')}`) });
    await refused.request(request);
    accepted = "Bearer two";
    await Promise.all([refused.request(request), refused.request(request)]);
    expect(runs()).toBe(2);
  });

  it.each([
    [
      "isn't installed",
      "",
      { command: "no-such-plugin", installHint: "install it with x" },
      "no-such-plugin isn't installed: install it with x",
    ],
    [
      "fails",
      "console.error('a'); console.error('log in first'); process.exit(3)",
      {},
      "failed (exit code 3): log in first",
    ],
    ["prints invalid JSON", "console.log('hello')", {}, "printed no JSON"],
    ["returns no credentials", credential("{}"), {}, "gave neither a token nor a certificate"],
    [
      "returns another version",
      credential('{ token: "one" }'),
      { apiVersion: "client.authentication.k8s.io/v1beta1" },
      "returned client.authentication.k8s.io/v1, but",
    ],
    [
      "requires a terminal",
      credential('{ token: "one" }'),
      { interactiveMode: "Always" as const },
      "requires a terminal",
    ],
  ])("causes an error of one line if it %s", async (_name, script, more, text) => {
    const error = (await open({ exec: plugin(script, more) })
      .request(request)
      .catch((caught: unknown) => caught)) as Error;
    expect(error.message).toContain(text);
    expect(error.message).not.toContain("\n");
  });

  it("is rejected immediately if its version is unknown", () => {
    expect(() => open({ exec: plugin("", { apiVersion: "client.authentication.k8s.io/v1alpha1" }) })).toThrow(
      "isn't known",
    );
  });

  it("is ended by the timeout or the signal of a request", async () => {
    const transport = open({ exec: plugin("setTimeout(() => {}, 600_000);") });
    await expect(transport.request({ ...request, timeout: 200 })).rejects.toThrow("no response within 200 ms");
    const aborted = transport.request({ ...request, signal: AbortSignal.timeout(100) });
    await expect(aborted).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
