import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { embeddedControllers, findPrograms } from "./engine.ts";
import { type CertificateAuthority, createAuthority } from "./host/certificates.ts";
import { type Files, writeFiles } from "./host/files.ts";
import { type ReservedPort, reservePort } from "./host/ports.ts";
import type { Settings, TestEnvironmentOptions } from "./options.ts";
import type { Plane, ServerName } from "./plane.ts";
import { apiServerSpec } from "./servers/api-server.ts";
import { controllerManagerSpec } from "./servers/controller-manager.ts";
import { etcdSpec, etcdUrl } from "./servers/etcd.ts";
import { killServer, type ServerSpec, startServer, stopServer } from "./servers/server.ts";
import { createSupervisor, type ServerProcess, type Supervisor } from "./servers/supervisor.ts";

const ADMIN_GROUPS = ["system:masters"];

/**
 * The servers of one environment. They are prepared once, and each can be started, killed and restarted with the same data
 * and ports.
 */
export class ControlPlane implements Plane {
  readonly admin: Config;
  readonly kubeconfigPath: string;
  /** Directory of all files of this environment. Removed when the environment stops or this process ends. */
  readonly directory: string;
  /** URL of etcd for its clients. */
  readonly etcdUrl: string;
  readonly #authority: CertificateAuthority;
  readonly #supervisor: Supervisor;
  readonly #ports: readonly ReservedPort[];
  readonly #specs: ReadonlyMap<ServerName, ServerSpec>;
  readonly #running = new Map<ServerName, ServerProcess>();

  private constructor(parts: Parts) {
    this.admin = parts.admin;
    this.kubeconfigPath = parts.files.kubeconfig;
    this.directory = parts.directory;
    this.etcdUrl = parts.etcdUrl;
    this.#authority = parts.authority;
    this.#supervisor = parts.supervisor;
    this.#ports = parts.ports;
    this.#specs = parts.specs;
  }

  /** Finds the binaries, reserves ports and creates certificates. Starts only the supervisor. */
  static async prepare(options: TestEnvironmentOptions, settings: Settings): Promise<ControlPlane> {
    const { engine, etcd, apiServer, controllerManager } = await findPrograms(options, settings);
    const directory = await mkdtemp(join(tmpdir(), "kubewright-envtest-"));
    const ports: ReservedPort[] = [];
    try {
      const authority = await createAuthority();
      const reserve = async (): Promise<number> => {
        ports.push(await reservePort());
        return ports.at(-1)?.port ?? 0;
      };
      const etcdPort = await reserve();
      const peerPort = await reserve();
      const port = await reserve();
      const admin = await userConfig(authority, `https://127.0.0.1:${port}`, "admin", ADMIN_GROUPS);
      const files = await writeFiles(directory, authority, admin);
      const { startTimeout, attachOutput } = settings;
      const controllers = engine === "embedded" ? embeddedControllers(settings.controllers ?? []) : [];
      const apiServerFlags = {
        ...(controllers.length > 0 ? { "kubewright-controllers": controllers.join(",") } : {}),
        ...options.apiServerFlags,
      };
      const common = { directory, files, startTimeout, attachOutput };
      const specs = new Map<ServerName, ServerSpec>([
        ["etcd", etcdSpec({ ...common, program: etcd, clientPort: etcdPort, peerPort, flags: options.etcdFlags })],
        [
          "kube-apiserver",
          apiServerSpec({ ...common, program: apiServer, port, etcdPort, admin, flags: apiServerFlags }),
        ],
      ]);
      if (controllerManager && settings.controllers) {
        const { controllers } = settings;
        const own = { program: controllerManager, port: await reserve(), controllers, ca: authority.cert };
        specs.set(
          "kube-controller-manager",
          controllerManagerSpec({ ...common, ...own, flags: options.controllerManagerFlags }),
        );
      }
      const supervisor = createSupervisor(directory);
      return new ControlPlane({
        admin,
        files,
        directory,
        etcdUrl: etcdUrl(etcdPort),
        authority,
        supervisor,
        ports,
        specs,
      });
    } catch (error) {
      for (const port of ports) port.release();
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
  }

  /** Starts etcd and the API server, unless they are running. */
  async start(): Promise<void> {
    await this.startServer("etcd");
    await this.startServer("kube-apiserver");
  }

  /**
   * Starts the controllers, if the environment runs them in a process of their own. Their garbage collector looks for new
   * resources only every 30 s, so they start after the CRDs exist.
   */
  async startControllers(): Promise<void> {
    if (this.#specs.has("kube-controller-manager")) await this.startServer("kube-controller-manager");
  }

  /** Starts one server with its existing data and ports, unless it is running. Resolves when it is ready. */
  async startServer(name: ServerName): Promise<void> {
    const spec = this.#specs.get(name);
    if (!spec) throw new Error(`this environment doesn't run ${name}`);
    const running = this.#running.get(name);
    if (running && !running.exit) return;
    this.#running.set(name, await startServer(this.#supervisor, spec));
  }

  /** Kills one server (SIGKILL). Resolves when it has exited. */
  async killServer(name: ServerName): Promise<void> {
    await killServer(this.#running.get(name));
  }

  /** Returns the process id of a running server. */
  pid(name: ServerName): number | undefined {
    const server = this.#running.get(name);
    return server && !server.exit ? server.pid : undefined;
  }

  /** Returns the credentials of another user. */
  addUser(name: string, groups: readonly string[]): Promise<Config> {
    return userConfig(this.#authority, this.admin.host, name, groups);
  }

  /** Stops all servers, dependents first, and removes their directory. */
  async stop(timeout: number): Promise<void> {
    await Promise.all(
      (["kube-controller-manager", "kube-apiserver"] as const).map((name) =>
        stopServer(this.#running.get(name), timeout),
      ),
    );
    await stopServer(this.#running.get("etcd"), timeout);
    await this.#supervisor.end();
    for (const port of this.#ports) port.release();
  }
}

interface Parts {
  admin: Config;
  files: Files;
  directory: string;
  etcdUrl: string;
  authority: CertificateAuthority;
  supervisor: Supervisor;
  ports: readonly ReservedPort[];
  specs: ReadonlyMap<ServerName, ServerSpec>;
}

async function userConfig(
  authority: CertificateAuthority,
  host: string,
  name: string,
  groups: readonly string[],
): Promise<Config> {
  return { host, ca: authority.cert, ...(await authority.issueClient(name, groups)) };
}
