// The executable `kube-apiserver` for test environments in Go and other languages.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeJson } from "@kubewright/cel/json";
import { parseTokenFile } from "../access/token-file.ts";
import { createFeatureGates, parseFeatureGates } from "../data/feature-gates.ts";
import { readVersion, releaseOf } from "../data/versions.ts";
import type { ApiServerOptions } from "../engine/options.ts";
import { Authority } from "../http/certificates.ts";
import type { Answer, ApiRequest } from "../model/request.ts";
import { StatusError } from "../model/status.ts";
import { startApiServer } from "../server/server.ts";
import { type FlagType, ServerFlags } from "./server-flags.ts";
import { StorageLink } from "./storage-link.ts";

const storageTimeout = 10_000;

const flagTypes: Record<string, FlagType> = {
  // Set by test environments, without an effect here.
  "allow-privileged": "boolean",
  "api-audiences": "text",
  profiling: "boolean",
  "service-cluster-ip-range": "text",
  v: "integer",
  // Used.
  "authorization-mode": "text",
  "bind-address": "text",
  "cert-dir": "text",
  "client-ca-file": "text",
  "disable-admission-plugins": "text",
  "enable-admission-plugins": "text",
  "etcd-servers": "text",
  "feature-gates": "text",
  "kubernetes-version": "text",
  "kubewright-controllers": "text",
  "secure-port": "integer",
  "service-account-issuer": "text",
  "service-account-key-file": "text",
  "service-account-signing-key-file": "text",
  "tls-cert-file": "text",
  "tls-private-key-file": "text",
  "token-auth-file": "text",
  version: "boolean",
};

async function main(args: readonly string[]): Promise<void> {
  const flags = new ServerFlags(args, flagTypes, (name) => log(`--${name} is ignored`));
  const help = flags.help("kube-apiserver");
  if (help !== undefined) {
    process.stdout.write(help);
    return;
  }
  const kubernetesVersion = readVersion(flags.text("kubernetes-version"));
  if (flags.text("version") === "true") {
    process.stdout.write(`Kubernetes ${releaseOf(kubernetesVersion)}\n`);
    return;
  }
  const featureGates = parseFeatureGates(flags.list("feature-gates"));
  // Without storage, the server wouldn't come to this check.
  createFeatureGates(kubernetesVersion, featureGates);
  const etcd = flags.list("etcd-servers")[0];
  if (etcd === undefined) throw new Error("--etcd-servers must be specified");
  const link = new StorageLink(etcd);
  const { dataFile } = await link.open(storageTimeout);
  const server = await startApiServer({
    ...optionsOf(flags),
    kubernetesVersion,
    featureGates,
    dataFile,
    warn: log,
    intercept: (request) => (link.connected ? undefined : withoutStorage(request)),
  });
  log(`Serving securely on ${new URL(server.url).host}`);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      link.close();
      void server.stop().then(() => process.exit(0));
    });
  }
}

function log(message: string): void {
  process.stderr.write(`kube-apiserver: ${message}\n`);
}

function optionsOf(flags: ServerFlags): ApiServerOptions {
  const host = flags.text("bind-address") ?? "127.0.0.1";
  const clientCA = fileOf(flags, "client-ca-file");
  const tokens = flags.text("token-auth-file");
  const signingKey = fileOf(flags, "service-account-signing-key-file");
  const publicKeys = flags.list("service-account-key-file").map((path) => read("service-account-key-file", path));
  const issuers = flags.list("service-account-issuer");
  // Like the real server, which allows everything unless a mode is set.
  const modes = flags.list("authorization-mode");
  const isAllAllowed = modes.length === 0 || modes.includes("AlwaysAllow");
  const controllers = flags.list("kubewright-controllers");
  const workloads = controllers.filter((name) => name.endsWith("-controller"));
  return {
    host,
    port: Number(flags.text("secure-port") ?? 6443),
    tls: { ...servingCertificate(flags, host), ...(clientCA === undefined ? {} : { clientCA }) },
    authorization: [
      ...(isAllAllowed ? ["always-allow" as const] : []),
      ...(!isAllAllowed || modes.includes("RBAC") ? ["rbac" as const] : []),
    ],
    controllers: {
      garbageCollector: controllers.includes("garbage-collector"),
      namespace: controllers.includes("namespace"),
      storageVersionMigrator: controllers.includes("storage-version-migrator"),
      clusterRoleAggregation: controllers.includes("clusterrole-aggregation-controller"),
      workloads: workloads.length === 0 ? false : { controllers: workloads },
    },
    disabledAdmissionPlugins: flags.list("disable-admission-plugins"),
    enabledAdmissionPlugins: flags.list("enable-admission-plugins"),
    ...(tokens === undefined ? {} : { tokens: parseTokenFile(read("token-auth-file", tokens), tokens) }),
    ...(signingKey === undefined
      ? {}
      : { serviceAccounts: { signingKey, issuers, ...(publicKeys.length === 0 ? {} : { publicKeys }) } }),
  };
}

function read(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`--${flag}=${path}: ${(error as Error).message}`, { cause: error });
  }
}

function fileOf(flags: ServerFlags, flag: string): string | undefined {
  const path = flags.text(flag);
  return path === undefined ? undefined : read(flag, path);
}

/** Reads the certificate of the server. Without one, it is created in the directory for certificates. */
function servingCertificate(flags: ServerFlags, host: string): { cert: string; key: string } {
  const cert = fileOf(flags, "tls-cert-file");
  const key = fileOf(flags, "tls-private-key-file");
  if (cert !== undefined && key !== undefined) return { cert, key };
  const directory = flags.text("cert-dir") ?? "/var/run/kubernetes";
  const [certFile, keyFile] = [join(directory, "apiserver.crt"), join(directory, "apiserver.key")];
  if (!existsSync(certFile) || !existsSync(keyFile)) {
    mkdirSync(directory, { recursive: true });
    const names = ["localhost", "127.0.0.1", "kubernetes.default.svc", "kubernetes.default", "kubernetes"];
    const authority = new Authority("kubewright-apiserver", Date.now);
    const pair = authority.issueServing([...new Set([host, ...names])]);
    // Clients take the file as their authority too, because the real server's contains both.
    writeFileSync(certFile, `${pair.cert.trimEnd()}\n${authority.cert}`);
    writeFileSync(keyFile, pair.key, { mode: 0o600 });
  }
  return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
}

/** Answers requests while the process that provides the storage doesn't run. */
function withoutStorage({ url }: ApiRequest): Answer | undefined {
  const path = url.split("?")[0] as string;
  if (path === "/readyz" || path === "/healthz") {
    const lines = ["[+]ping ok", "[+]log ok", "[-]etcd failed: reason withheld", `${path.slice(1)} check failed`];
    return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body: `${lines.join("\n")}\n` };
  }
  if (!/^\/apis?\/([^/]+\/)?v[^/]+\/./.test(path)) return undefined;
  const error = new StatusError(500, "InternalError", "rpc error: code = Unavailable desc = the storage isn't running");
  return { status: 500, headers: { "content-type": "application/json" }, body: `${encodeJson(error.status())}\n` };
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`kube-apiserver: error: ${error instanceof Error ? error.message : error}\n`);
  process.exit(error instanceof RangeError ? 2 : 1);
});
