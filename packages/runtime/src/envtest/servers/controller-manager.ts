import { join } from "node:path";
import type { Files } from "../host/files.ts";
import { type Flags, toArguments } from "./flags.ts";
import { probeStatus } from "./probe.ts";
import type { Program, ServerSpec } from "./server.ts";

/** Controllers that work without nodes and clouds, from Deployments to garbage collection. */
export const DEFAULT_CONTROLLERS: readonly string[] = [
  "deployment-controller",
  "replicaset-controller",
  "replicationcontroller-controller",
  "statefulset-controller",
  "daemonset-controller",
  "job-controller",
  "cronjob-controller",
  "garbage-collector-controller",
  "namespace-controller",
  "serviceaccount-controller",
  "root-ca-certificate-publisher-controller",
  "endpoints-controller",
  "endpointslice-controller",
  "disruption-controller",
  "resourcequota-controller",
  "ttl-after-finished-controller",
  "clusterrole-aggregation-controller",
  "storage-version-migrator-controller",
];

export interface ControllerManagerOptions {
  program: Program;
  directory: string;
  files: Files;
  port: number;
  controllers: readonly string[];
  ca: string;
  startTimeout: number;
  flags?: Flags;
  attachOutput: boolean;
}

/** Returns the command line of a kube-controller-manager with the credentials of the administrator. */
export function controllerManagerSpec(options: ControllerManagerOptions): ServerSpec {
  const { files } = options;
  const defaults: Flags = {
    kubeconfig: files.kubeconfig,
    controllers: options.controllers.join(","),
    // It is the only instance.
    "leader-elect": "false",
    "bind-address": "127.0.0.1",
    "secure-port": String(options.port),
    "tls-cert-file": files.servingCert,
    "tls-private-key-file": files.servingKey,
    "root-ca-file": files.ca,
    "service-account-private-key-file": files.serviceAccountPrivateKey,
    "use-service-account-credentials": "false",
    // The client-side limits would only delay tests.
    "kube-api-qps": "200",
    "kube-api-burst": "400",
    profiling: "false",
  };
  return {
    name: "kube-controller-manager",
    path: options.program.path,
    args: [...options.program.args, ...toArguments(defaults, options.flags)],
    log: options.attachOutput ? undefined : join(options.directory, "kube-controller-manager.log"),
    startTimeout: options.startTimeout,
    ready: async (signal) =>
      (await probeStatus(`https://127.0.0.1:${options.port}/healthz`, { ca: options.ca, signal })) === 200,
  };
}
