import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundle } from "../../../../scripts/test-support/bundle.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./kubeconfig.ts";
import { type LoadConfigOptions, loadConfig, type ProcessEnvironment } from "./load-config.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-config-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(directory, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function load(options: LoadConfigOptions = {}, environment: Partial<ProcessEnvironment> = {}): Config {
  return loadConfig(options, {
    argv: [],
    environment: {},
    home: join(directory, "nobody"),
    serviceAccountDirectory: join(directory, "serviceaccount"),
    ...environment,
  });
}

/** Writes a kubeconfig with one context, whose cluster and user have these fields. */
function kubeconfig(name: string, cluster: object, user: object = {}, namespace?: string): string {
  const document = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name: `${name}-cluster`, cluster: { server: `https://${name}:6443`, ...cluster } }],
    users: [{ name: `${name}-user`, user }],
    contexts: [{ name, context: { cluster: `${name}-cluster`, user: `${name}-user`, namespace } }],
  };
  return write(`${name}.yaml`, JSON.stringify(document));
}

describe("a kubeconfig", () => {
  it("contains certificates, keys and tokens as data", () => {
    const path = kubeconfig(
      "a",
      {
        "certificate-authority-data": base64(PEM),
        "tls-server-name": "k8s",
        "proxy-url": "socks5://p:1",
        "disable-compression": true,
      },
      {
        "client-certificate-data": base64(PEM),
        "client-key-data": base64(PEM),
        token: "t",
        username: "u",
        password: "p",
      },
      "games",
    );
    expect(load({ kubeconfig: path })).toEqual({
      host: "https://a:6443",
      ca: PEM,
      cert: PEM,
      key: PEM,
      token: "t",
      username: "u",
      password: "p",
      tlsServerName: "k8s",
      proxyUrl: "socks5://p:1",
      disableCompression: true,
      namespace: "games",
    });
  });

  it("refers to files relative to its directory", () => {
    write("pki/ca.crt", `${PEM}ca`);
    write("pki/me.crt", `${PEM}cert`);
    write("pki/me.key", `${PEM}key`);
    const path = kubeconfig(
      "a",
      { "certificate-authority": "pki/ca.crt" },
      { "client-certificate": "pki/me.crt", "client-key": join(directory, "pki/me.key"), tokenFile: "token" },
    );
    expect(load({ kubeconfig: path })).toEqual({
      host: "https://a:6443",
      ca: `${PEM}ca`,
      cert: `${PEM}cert`,
      key: `${PEM}key`,
      caFile: join(directory, "pki/ca.crt"),
      certFile: join(directory, "pki/me.crt"),
      keyFile: join(directory, "pki/me.key"),
      tokenFile: join(directory, "token"),
    });
  });

  it("prefers data to a file", () => {
    const path = kubeconfig("a", { "certificate-authority-data": base64(PEM), "certificate-authority": "none" });
    const { ca, caFile } = load({ kubeconfig: path });
    expect([ca, caFile]).toEqual([PEM, undefined]);
  });

  it("configures plugins, impersonation and TLS verification", () => {
    const path = kubeconfig(
      "a",
      {
        "insecure-skip-tls-verify": true,
        extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "x" } }],
      },
      {
        as: "jane",
        "as-uid": "7",
        "as-groups": ["g"],
        "as-user-extra": { k: ["v"] },
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: "bin/plugin",
          args: ["a"],
          env: null,
          provideClusterInfo: true,
          installHint: "get it",
        },
      },
    );
    expect(load({ kubeconfig: path })).toEqual({
      host: "https://a:6443",
      insecureSkipTLSVerify: true,
      impersonate: { userName: "jane", uid: "7", groups: ["g"], extra: { k: ["v"] } },
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: "bin/plugin",
        args: ["a"],
        interactiveMode: "IfAvailable",
        provideClusterInfo: true,
        installHint: "get it",
        directory,
        cluster: { server: "https://a:6443", "insecure-skip-tls-verify": true, config: { audience: "x" } },
      },
    });
  });
});

describe("loadConfig", () => {
  it("uses the option, the flag, KUBECONFIG, the Pod, or the home directory, in this order", () => {
    const [option, flag, listed, home] = ["option", "flag", "listed", "home"].map((name) => kubeconfig(name, {}));
    write(
      ".kube/config",
      `{"current-context": "h", "contexts": [{"name": "h", "context": {"cluster": "c"}}], "clusters": [{"name": "c", "cluster": {"server": "https://home"}}]}`,
    );
    expect(home).toBeDefined();
    write("serviceaccount/token", "t");
    write("serviceaccount/ca.crt", PEM);
    write("serviceaccount/namespace", "games\n");
    const pod = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
    const all = { argv: ["--x", "--kubeconfig", flag!], environment: { KUBECONFIG: listed!, ...pod }, home: directory };
    expect(load({ kubeconfig: option! }, all).host).toBe("https://option:6443");
    expect(load({}, all).host).toBe("https://flag:6443");
    expect(load({}, { ...all, argv: [`-kubeconfig=${flag}`] }).host).toBe("https://flag:6443");
    expect(load({}, { ...all, argv: ["--", `--kubeconfig=${flag}`] }).host).toBe("https://listed:6443");
    expect(load({}, { ...all, argv: [], environment: pod })).toEqual({
      host: "https://[fd00::1]:443",
      tokenFile: join(directory, "serviceaccount/token"),
      ca: PEM,
      caFile: join(directory, "serviceaccount/ca.crt"),
      namespace: "games",
    });
    expect(load({}, { ...all, argv: [], environment: {} }).host).toBe("https://home");
    expect(load({ context: "h" }, { ...all, argv: [], environment: pod }).host).toBe("https://home");
  });

  it("merges the files of KUBECONFIG, and prefers the first definition of a name", () => {
    const first = write(
      "1/first.yaml",
      `contexts: [{name: both, context: {cluster: b-cluster, user: b-user, namespace: first}}]\nusers:\n- name: b-user\n  user: {tokenFile: token}\n`,
    );
    const second = kubeconfig("b", {}, { token: "second" });
    const environment = { KUBECONFIG: [join(directory, "none"), first, second].join(delimiter) };
    expect(load({}, { environment })).toEqual({ host: "https://b:6443", tokenFile: join(directory, "1/token") });
    expect(load({ context: "both" }, { environment })).toEqual({
      host: "https://b:6443",
      tokenFile: join(directory, "1/token"),
      namespace: "first",
    });
  });
});

describe("an unusable configuration", () => {
  const cases: [string, () => string, LoadConfigOptions, RegExp][] = [
    ["no file", () => join(directory, "none"), {}, /^can't read the kubeconfig .*none: ENOENT/],
    ["invalid YAML", () => write("x", "a: [\n"), {}, /isn't valid YAML: /],
    ["no object in the file", () => write("x", "hello"), {}, /must contain an object$/],
    ["another kind", () => write("x", "kind: Pod"), {}, /isn't a kubeconfig: its kind is Pod$/],
    ["an empty file", () => write("x", ""), {}, /has no current-context/],
    ["clusters that aren't a list", () => write("x", "clusters: {}"), {}, /clusters must be a list$/],
    ["an unknown context", () => kubeconfig("a", {}), { context: "b" }, /has no context "b"; it has a$/],
    ["no server", () => kubeconfig("a", { server: "" }), {}, /the cluster "a-cluster" has no server$/],
    [
      "an unknown cluster",
      () => write("x", "current-context: a\ncontexts: [{name: a, context: {cluster: c}}]"),
      {},
      /refers to the cluster "c", which doesn't exist$/,
    ],
    [
      "an unknown user",
      () =>
        write(
          "x",
          "current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: s}}]",
        ),
      {},
      /refers to the user "u", which doesn't exist$/,
    ],
    [
      "insecure-skip-tls-verify with a CA",
      () => kubeconfig("a", { "insecure-skip-tls-verify": true, "certificate-authority-data": base64(PEM) }),
      {},
      /has both/,
    ],
    ["invalid data", () => kubeconfig("a", { "certificate-authority-data": "%%%" }), {}, /isn't base64 of PEM text$/],
    [
      "a missing key file",
      () => kubeconfig("a", {}, { "client-certificate-data": base64(PEM), "client-key": "none.key" }),
      {},
      /client-key of "a-user" can't be read: ENOENT/,
    ],
    [
      "a certificate without key",
      () => kubeconfig("a", {}, { "client-certificate-data": base64(PEM) }),
      {},
      /client-certificate without its key$/,
    ],
    [
      "an auth-provider",
      () => kubeconfig("a", {}, { "auth-provider": { name: "gcp" } }),
      {},
      /auth-provider "gcp".*exec/,
    ],
    ["a plugin without command", () => kubeconfig("a", {}, { exec: { apiVersion: "v1" } }), {}, /has no command$/],
    [
      "an unknown interactiveMode",
      () => kubeconfig("a", {}, { exec: { apiVersion: "v1", command: "x", interactiveMode: "Maybe" } }),
      {},
      /interactiveMode "Maybe"/,
    ],
  ];
  it.each(cases)("is reported in one line: %s", (_name, file, options, message) => {
    let error: unknown;
    try {
      load({ kubeconfig: file(), ...options });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain("\n");
  });

  it("is reported if nothing is configured", () => {
    expect(() => load()).toThrow(/^no API server is configured: neither --kubeconfig nor KUBECONFIG is set/);
    expect(() => load({}, { environment: { KUBECONFIG: "/none" } })).toThrow(
      "KUBECONFIG lists /none, but this file doesn't exist",
    );
  });

  it("is reported for a Pod without a service account", () => {
    const environment = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
    expect(() => load({}, { environment })).toThrow(/^no API server is configured/);
    write("serviceaccount/token", "t");
    expect(() => load({}, { environment })).toThrow(/certificate authority can't be read: ENOENT/);
  });

  it("is printed by getConfigOrDie, which exits with 1", () => {
    const module = bundle(new URL("./load-config.ts", import.meta.url), directory);
    const code = `import(${JSON.stringify(module)}).then((m) => m.getConfigOrDie())`;
    const environment = { ...process.env, KUBECONFIG: "/none" };
    const run = (): string =>
      execFileSync(process.execPath, ["-e", code], { env: environment, encoding: "utf8", stdio: "pipe" });
    expect(run).toThrow(
      expect.objectContaining({ status: 1, stderr: expect.stringContaining("KUBECONFIG lists /none") }),
    );
  });
});
