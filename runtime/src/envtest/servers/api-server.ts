import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Files } from "../files.ts";
import { etcdUrl } from "./etcd.ts";
import { type Flags, toArguments } from "./flags.ts";
import { probeStatus } from "./probe.ts";
import type { ServerSpec } from "./server.ts";

export interface ApiServerOptions {
  path: string;
  directory: string;
  files: Files;
  port: number;
  etcdPort: number;
  /** Who asks whether the server is ready. */
  admin: Config;
  startTimeout: number;
  flags?: Flags;
  attachOutput: boolean;
}

/** A kube-apiserver on the loopback address that knows its clients by certificate and what they may do by RBAC. */
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
    // Without the controller that makes the default service accounts it would refuse every pod.
    "disable-admission-plugins": "ServiceAccount",
    "service-account-issuer": `${admin.host}/`,
    "service-account-key-file": files.serviceAccountPublicKey,
    "service-account-signing-key-file": files.serviceAccountPrivateKey,
    // Nobody reads profiles of a server that lives for one test.
    profiling: "false",
  };
  return {
    name: "kube-apiserver",
    path: options.path,
    args: toArguments(defaults, options.flags),
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
