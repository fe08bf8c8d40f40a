import { readFileSync } from "node:fs";
import type { KubernetesObject } from "../api/index.ts";
import type { Stored } from "../client/client.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import { safeConfig } from "../config/safe-config.ts";
import { type CRD, readCRDs } from "../manifests/crds.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { ControlPlane } from "./control-plane.ts";
import { ExistingCluster } from "./existing-cluster.ts";
import { installCRDs, uninstallCRDs } from "./objects/install-crds.ts";
import { createObjects, deleteObjects, readObjects } from "./objects.ts";
import {
  type CreateOptions,
  type DeleteObjectsOptions,
  type Settings,
  settle,
  type TestEnvironmentOptions,
  type UserOptions,
} from "./options.ts";
import type { Plane } from "./plane.ts";
import { bindRoles, readRoles } from "./roles.ts";
import { installWebhooks, uninstallWebhooks } from "./webhooks/install.ts";
import { withLocalClients, withLocalConversion } from "./webhooks/local.ts";
import type { WebhookServing } from "./webhooks/options.ts";
import { readWebhooks, type WebhookConfiguration } from "./webhooks/read.ts";
import { type LocalServing, prepareServing } from "./webhooks/serving.ts";

const START_TRIES = 5;

/**
 * Runs an API server for tests on the loopback interface: etcd and kube-apiserver, or kubewright's embedded API server. The data
 * is removed when the environment stops, or when this process ends in any way. With `useExistingCluster`, it uses an existing
 * cluster.
 *
 * @example
 * const environment = new TestEnvironment({ crdDirectoryPaths: ["config/crd/bases"] });
 * const config = await environment.start();
 * try {
 *   const mgr = await Manager.create(config);
 * } finally {
 *   await environment.stop();
 * }
 */
export class TestEnvironment {
  readonly #options: TestEnvironmentOptions;
  #plane: Plane | undefined;
  #serving: LocalServing | undefined;
  #starting = false;
  #installed: { crds: CRD[]; webhooks: WebhookConfiguration[] } = { crds: [], webhooks: [] };

  /**
   * Creates an environment, which {@link start} starts.
   *
   * @param options - see {@link TestEnvironmentOptions}
   */
  constructor(options: TestEnvironmentOptions = {}) {
    this.#options = options;
  }

  /**
   * Starts the servers and installs CRDs and webhooks. If it fails, no server keeps running.
   *
   * @returns the configuration of an administrator (group `system:masters`)
   * @throws Error with the last output of a server that doesn't start, or if CRDs and webhooks can't be installed
   */
  async start(): Promise<Config> {
    if (this.#plane || this.#starting) throw new Error("the test environment is already running");
    this.#starting = true;
    try {
      const settings = settle(this.#options);
      const crds = readCRDs(settings);
      const { webhookInstallOptions } = this.#options;
      const webhooks = webhookInstallOptions ? readWebhooks(webhookInstallOptions) : [];
      // It is called again if the servers start again with other ports.
      const install = async (plane: Plane): Promise<void> => {
        this.#forget();
        this.#plane = plane;
        if (webhookInstallOptions) this.#serving = await prepareServing(webhookInstallOptions, plane.directory);
        await this.#install(crds, webhooks);
      };
      try {
        await startPlane(this.#options, settings, install);
      } catch (error) {
        if (settings.useExistingCluster) await this.stop();
        else this.#forget();
        throw error;
      }
      return this.config;
    } finally {
      this.#starting = false;
    }
  }

  /**
   * Stops the servers and removes their data, if they run. An existing cluster continues; with `cleanUpAfterUse`, the
   * installed objects are removed from it.
   */
  async stop(): Promise<void> {
    const plane = this.#plane;
    if (!plane) return;
    const settings = settle(this.#options);
    this.#plane = undefined;
    try {
      if (settings.crdInstall.cleanUpAfterUse) await this.#cleanUp(plane, settings);
    } finally {
      this.#forget();
      await plane.stop(settings.stopTimeout);
    }
  }

  #forget(): void {
    this.#plane = undefined;
    this.#installed = { crds: [], webhooks: [] };
    this.#serving?.release();
    this.#serving = undefined;
  }

  /** Configuration of an administrator. */
  get config(): Config {
    return safeConfig(this.#running().admin);
  }

  /** Kubeconfig of an administrator, as text. */
  get kubeconfig(): string {
    return readFileSync(this.kubeconfigPath, "utf8");
  }

  /** File with the kubeconfig of an administrator, which is removed when the environment stops. */
  get kubeconfigPath(): string {
    return this.#running().kubeconfigPath;
  }

  /**
   * Settings of the local webhook server, for the manager.
   *
   * @throws Error if the environment isn't running or was created without `webhookInstallOptions`
   *
   * @example
   * const { localServingHost: host, localServingPort: port, localServingCertDir: certDir } = environment.webhookInstallOptions;
   * const mgr = await Manager.create(config, { webhook: { host, port, certDir } });
   */
  get webhookInstallOptions(): WebhookServing {
    this.#running();
    if (!this.#serving)
      throw new Error("the test environment has no webhook settings: set webhookInstallOptions, {} is enough");
    return this.#serving.options;
  }

  /**
   * Creates a user with the permissions that RBAC grants to its name and groups. The credentials are valid for a week.
   *
   * @param name - user name
   * @param groups - groups of the user
   * @param options - see {@link UserOptions}
   * @returns the configuration of the user
   * @throws Error on an existing cluster, and for files that can't be read or contain other objects than roles
   *
   * @example
   * const config = await environment.addUser("manager", [], { rolePaths: ["config/rbac/role.yaml"] });
   */
  async addUser(name: string, groups: readonly string[] = [], { rolePaths = [] }: UserOptions = {}): Promise<Config> {
    const roles = readRoles(rolePaths);
    const plane = this.#running();
    const config = await plane.addUser(name, groups);
    if (roles.length > 0) await this.#withTransport(plane, (transport) => bindRoles(transport, name, roles));
    return config;
  }

  /**
   * Creates the objects in files as an administrator, such as the samples of a project, and the namespaces that they name.
   * Kustomizations among them are ignored, and objects that exist already are unchanged.
   *
   * @param paths - files and directories; a missing one has no objects
   * @param options - see {@link CreateOptions}
   * @returns the created objects
   * @throws ApiError if the API server rejects an object
   *
   * @example
   * const samples = await environment.createObjects(["config/samples"]);
   */
  createObjects(
    paths: readonly string[],
    { namespace = "default", except = [] }: CreateOptions = {},
  ): Promise<Stored<KubernetesObject>[]> {
    const objects = readObjects(paths, except);
    return this.#withTransport(this.#running(), (transport) => createObjects(transport, objects, namespace));
  }

  /**
   * Deletes objects as an administrator, and resolves when they are gone. Objects that don't exist are ignored.
   *
   * @param objects - the objects
   * @param options - see {@link DeleteObjectsOptions}
   * @throws Error with the finalizers of an object that still exists after the time limit
   */
  deleteObjects(objects: readonly KubernetesObject[], { timeout = 60_000 }: DeleteObjectsOptions = {}): Promise<void> {
    return this.#withTransport(this.#running(), (transport) => deleteObjects(transport, objects, timeout));
  }

  /**
   * Installs further CRDs, and updates existing ones. Resolves when all served versions are available.
   *
   * @param crds - files, directories or objects
   */
  async installCRDs(crds: Pick<TestEnvironmentOptions, "crdDirectoryPaths" | "crds">): Promise<void> {
    await this.#install(readCRDs(settle({ ...crds })), []);
  }

  /**
   * Deletes CRDs with all their objects. CRDs that don't exist are ignored. Resolves when they are gone.
   *
   * @param crds - files, directories or objects
   */
  async uninstallCRDs(crds: Pick<TestEnvironmentOptions, "crdDirectoryPaths" | "crds">): Promise<void> {
    const definitions = readCRDs(settle({ ...crds }));
    const { crdInstall } = settle(this.#options);
    await this.#withTransport(this.#running(), (transport) => uninstallCRDs(transport, definitions, crdInstall));
    const names = new Set(definitions.map(({ metadata }) => metadata?.name));
    this.#installed.crds = this.#installed.crds.filter(({ metadata }) => !names.has(metadata?.name));
  }

  /** Kills the API server (SIGKILL). Its data is kept. */
  killApiServer(): Promise<void> {
    return this.#running().killServer("kube-apiserver");
  }

  /** Starts a killed API server with the same data and port. Resolves when it is ready. */
  startApiServer(): Promise<void> {
    return this.#running().startServer("kube-apiserver");
  }

  /** Kills the API server and starts it again with the same data and port. */
  async restartApiServer(): Promise<void> {
    await this.killApiServer();
    await this.startApiServer();
  }

  /** Kills etcd (SIGKILL). Its data is kept. The API server keeps running but can't read or write. */
  killEtcd(): Promise<void> {
    return this.#running().killServer("etcd");
  }

  /** Starts a killed etcd with the same data and port. Resolves when it is healthy. */
  startEtcd(): Promise<void> {
    return this.#running().startServer("etcd");
  }

  /** URL of etcd, without TLS, for actions that the API server doesn't offer, such as a compaction. */
  get etcdUrl(): string {
    return this.#running().etcdUrl;
  }

  /** Process IDs of the running servers. */
  get pids(): {
    /** Process ID of etcd. */
    etcd?: number;
    /** Process ID of the kube-apiserver. */
    apiServer?: number;
    /** Process ID of the kube-controller-manager. */
    controllerManager?: number;
  } {
    const plane = this.#running();
    return {
      etcd: plane.pid("etcd"),
      apiServer: plane.pid("kube-apiserver"),
      controllerManager: plane.pid("kube-controller-manager"),
    };
  }

  async #install(crds: readonly CRD[], webhooks: readonly WebhookConfiguration[]): Promise<void> {
    if (crds.length === 0 && webhooks.length === 0) return;
    const serving = this.#serving?.options;
    const { crdInstall } = settle(this.#options);
    this.#installed.crds.push(...crds);
    await this.#withTransport(this.#running(), async (transport) => {
      const local = serving ? crds.map((crd) => withLocalConversion(crd, serving)) : crds;
      await installCRDs(transport, local, crdInstall);
      if (!serving) return;
      this.#installed.webhooks.push(...webhooks);
      const configurations = webhooks.map((configuration) => withLocalClients(configuration, serving));
      await installWebhooks(transport, configurations, serving);
    });
  }

  // Webhook configurations are removed first: nothing serves the webhooks now, and deletions would call them.
  #cleanUp(plane: Plane, { crdInstall }: Settings): Promise<void> {
    const { crds, webhooks } = this.#installed;
    return this.#withTransport(plane, async (transport) => {
      await uninstallWebhooks(transport, webhooks);
      await uninstallCRDs(transport, crds, crdInstall);
    });
  }

  async #withTransport<R>(plane: Plane, work: (transport: Transport) => Promise<R>): Promise<R> {
    const transport = createTransport(plane.admin);
    try {
      return await work(transport);
    } finally {
      await transport.close();
    }
  }

  #running(): Plane {
    if (!this.#plane) throw new Error("the test environment isn't running: await start() first");
    return this.#plane;
  }
}

/** Starts the servers, and installs what they serve before the controllers start. */
async function startPlane(
  options: TestEnvironmentOptions,
  settings: Settings,
  install: (plane: Plane) => Promise<void>,
): Promise<void> {
  if (settings.useExistingCluster) return install(new ExistingCluster(options.config ?? loadConfig()));
  // Another process can take a port between its selection and its binding: select other ports.
  for (let tries = 1; ; tries++) {
    const plane = await ControlPlane.prepare(options, settings);
    try {
      await plane.start();
      await install(plane);
      await plane.startControllers();
      return;
    } catch (error) {
      await plane.stop(settings.stopTimeout);
      const portTaken = error instanceof Error && /address already in use/.test(error.message);
      if (!portTaken || tries === START_TRIES) throw error;
    }
  }
}
