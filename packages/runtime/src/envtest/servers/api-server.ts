import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Files } from "../host/files.ts";
import { etcdUrl } from "./etcd.ts";
import { type Flags, toArguments } from "./flags.ts";
import { probeStatus } from "./probe.ts";
import type { Program, ServerSpec } from "./server.ts";

export interface ApiServerOptions {
  program: Program;
  directory: string;
  files: Files;
  port: number;
  etcdPort: number;
  /** Access of the readiness probe. */
  admin: Config;
  startTimeout: number;
  flags?: Flags;
  attachOutput: boolean;
}

/** Returns the command line of a kube-apiserver on the loopback address, with client certificates and RBAC. */
export function apiServerSpec(options: ApiServerOptions): ServerSpec {
  const { files, admin } = options;
  const defaults: Flags = {
    "etcd-servers": etcdUrl(options.etcdPort),
    "bind-address": "127.0.0.1",
    "secure-port": String(options.port),
    "cert-dir": options.directory,
    "tls-cert-file": files.servingCert,
    "tls-private-key-file": files.servingKey,
    "client-ca-file": files.ca,
    "authorization-mode": "RBAC",
    "service-cluster-ip-range": "10.0.0.0/24",
    "allow-privileged": "true",
    // The plugin would reject all pods, because no controller creates the default service accounts.
    "disable-admission-plugins": "ServiceAccount",
    "service-account-issuer": `${admin.host}/`,
    "service-account-key-file": files.serviceAccountPublicKey,
    "service-account-signing-key-file": files.serviceAccountPrivateKey,
    // Profiles aren't used for the short-lived server of a test.
    profiling: "false",
  };
  return {
    name: "kube-apiserver",
    path: options.program.path,
    args: [...options.program.args, ...toArguments(defaults, options.flags)],
    log: options.attachOutput ? undefined : join(options.directory, "kube-apiserver.log"),
    startTimeout: options.startTimeout,
    ready: async (signal) => {
      const { ca, cert, key } = admin;
      for (const path of ["/readyz", "/api/v1/namespaces/default"]) {
        if ((await probeStatus(`${admin.host}${path}`, { ca, cert, key, signal })) !== 200) return false;
      }
      return true;
    },
  };
}
