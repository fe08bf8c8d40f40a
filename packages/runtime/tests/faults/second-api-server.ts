import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Config } from "../../src/config/config.ts";
import { findBinary } from "../../src/envtest/binaries.ts";
import { reservePort } from "../../src/envtest/host/ports.ts";
import type { TestEnvironment } from "../../src/envtest/index.ts";
import { apiServerSpec } from "../../src/envtest/servers/api-server.ts";
import { killServer, startServer, stopServer } from "../../src/envtest/servers/server.ts";
import { createSupervisor } from "../../src/envtest/servers/supervisor.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** A second API server that uses the etcd of a test environment. It accepts the same clients. */
export interface SecondApiServer {
  /** Access as administrator. */
  config: Config;
  /** Its connection to etcd. */
  etcd: TcpProxy;
  /** Kills it, as a kubelet does after failing liveness probes. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const startTimeout = 120_000;

/** Starts a second API server. Resolves when it is ready. */
export async function startSecondApiServer(environment: TestEnvironment): Promise<SecondApiServer> {
  const etcd = await TcpProxy.start({ host: environment.etcdUrl });
  const { port, release } = await reservePort();
  const directory = mkdtempSync(join(tmpdir(), "kubewright-second-"));
  const supervisor = createSupervisor(directory);
  const first = environment.config;
  const config = { ...first, host: `https://127.0.0.1:${port}` };
  const shared = (name: string): string => join(dirname(environment.kubeconfigPath), name);
  const spec = apiServerSpec({
    program: { path: findBinary("kube-apiserver"), args: [] },
    directory,
    files: {
      ca: shared("ca.crt"),
      servingCert: shared("serving.crt"),
      servingKey: shared("serving.key"),
      serviceAccountPublicKey: shared("service-account.pub"),
      serviceAccountPrivateKey: shared("service-account.key"),
      kubeconfig: environment.kubeconfigPath,
    },
    port,
    etcdPort: Number(new URL(etcd.config.host).port),
    admin: config,
    startTimeout,
    flags: { "service-account-issuer": `${first.host}/` },
    attachOutput: false,
  });
  const server = await startServer(supervisor, spec);
  return {
    config,
    etcd,
    kill: () => killServer(server),
    async stop(): Promise<void> {
      // A graceful shutdown takes too long if etcd is unreachable.
      await stopServer(server, 1000);
      await supervisor.end();
      await etcd.close();
      release();
    },
  };
}
