import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/index.ts";
import { safeConfig } from "../config/safe-config.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { ControlPlane } from "./control-plane.ts";
import { installCRDs, uninstallCRDs } from "./crds/install.ts";
import { type CRD, readCRDs } from "./crds/read.ts";
import { ExistingCluster } from "./existing-cluster.ts";
import { type Settings, settle, type TestEnvironmentOptions } from "./options.ts";
import type { Plane } from "./plane.ts";
import { installWebhooks, uninstallWebhooks } from "./webhooks/install.ts";
import { withLocalClients, withLocalConversion } from "./webhooks/local.ts";
import type { WebhookServing } from "./webhooks/options.ts";
import { readWebhooks, type WebhookConfiguration } from "./webhooks/read.ts";
import { type LocalServing, prepareServing } from "./webhooks/serving.ts";

const START_TRIES = 5;

/**
 * A real API server for tests: etcd and kube-apiserver on the loopback address, with data of their own that is gone
 * when the environment stops, or when this process ends in any way. With `useExistingCluster`: a cluster that is there.
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

  constructor(options: TestEnvironmentOptions = {}) {
    this.#options = options;
  }

  /**
   * Starts the servers, installs the CRDs and gives the admin's access (group `system:masters`).
   * Throws an `Error` that shows the end of a server's output when one doesn't come up; nothing is left running then.
   */
  async start(): Promise<Config> {
    if (this.#plane || this.#starting) throw new Error("the test environment runs already");
    this.#starting = true;
    try {
      const settings = settle(this.#options);
      const crds = readCRDs(settings);
      const { webhookInstallOptions } = this.#options;
      const webhooks = webhookInstallOptions ? readWebhooks(webhookInstallOptions) : [];
      const plane = await planeFor(this.#options, settings);
      this.#plane = plane;
      try {
        if (webhookInstallOptions) this.#serving = await prepareServing(webhookInstallOptions, plane.directory);
        await this.#install(crds, webhooks);
      } catch (error) {
        await this.stop();
        throw error;
      }
      return this.config;
    } finally {
      this.#starting = false;
    }
  }

  /**
   * Stops the servers and removes their data. Does nothing when they don't run. An existing cluster goes on, without what the
   * environment installed when `cleanUpAfterUse` says so.
   */
  async stop(): Promise<void> {
    const plane = this.#plane;
    if (!plane) return;
    const settings = settle(this.#options);
    this.#plane = undefined;
    try {
      if (settings.crdInstall.cleanUpAfterUse) await this.#cleanUp(plane, settings);
    } finally {
      this.#installed = { crds: [], webhooks: [] };
      this.#serving?.release();
      this.#serving = undefined;
      await plane.stop(settings.stopTimeout);
    }
  }

  /** The admin's access to the API server. */
  get config(): Config {
    return safeConfig(this.#running().admin);
  }

  /** The admin's kubeconfig, as text. */
  get kubeconfig(): string {
    return readFileSync(this.kubeconfigPath, "utf8");
  }

  /** File with the admin's kubeconfig; it goes when the environment stops. */
  get kubeconfigPath(): string {
    return this.#running().kubeconfigPath;
  }

  /**
   * Where this process serves webhooks: what a manager needs to know.
   *
   * @example
   * const { localServingHost: host, localServingPort: port, localServingCertDir: certDir } = environment.webhookInstallOptions;
   * const mgr = await Manager.create(config, { webhook: { host, port, certDir } });
   */
  get webhookInstallOptions(): WebhookServing {
    this.#running();
    if (!this.#serving) throw new Error("the test environment has no webhookInstallOptions: give it some, {} will do");
    return this.#serving.options;
  }

  /** Access for another user, who may do what RBAC allows the name and the groups. Good for a week. */
  addUser(name: string, groups: readonly string[] = []): Promise<Config> {
    return this.#running().addUser(name, groups);
  }

  /** Installs more CRDs, from files or as objects; those that exist are updated. Resolves when all served versions can be used. */
  async installCRDs(crds: Pick<TestEnvironmentOptions, "crdDirectoryPaths" | "crds">): Promise<void> {
    await this.#install(readCRDs(settle({ ...crds })), []);
  }

  /** Deletes CRDs, and with them all their objects; those that aren't there are passed over. Resolves when they are gone. */
  async uninstallCRDs(crds: Pick<TestEnvironmentOptions, "crdDirectoryPaths" | "crds">): Promise<void> {
    const found = readCRDs(settle({ ...crds }));
    const { crdInstall } = settle(this.#options);
    await this.#withTransport(this.#running(), (transport) => uninstallCRDs(transport, found, crdInstall));
    const names = new Set(found.map(({ metadata }) => metadata?.name));
    this.#installed.crds = this.#installed.crds.filter(({ metadata }) => !names.has(metadata?.name));
  }

  /** Kills the API server without warning; its data stays. */
  killApiServer(): Promise<void> {
    return this.#running().killServer("kube-apiserver");
  }

  /** Starts a killed API server on the same data and port; resolves when it is ready. */
  startApiServer(): Promise<void> {
    return this.#running().startServer("kube-apiserver");
  }

  /** Kills the API server and starts it again on the same data and port. */
  async restartApiServer(): Promise<void> {
    await this.killApiServer();
    await this.startApiServer();
  }

  /** Kills etcd without warning; its data stays. The API server goes on without being able to read or write. */
  killEtcd(): Promise<void> {
    return this.#running().killServer("etcd");
  }

  /** Starts a killed etcd on the same data and port; resolves when it is healthy. */
  startEtcd(): Promise<void> {
    return this.#running().startServer("etcd");
  }

  /** Where etcd serves its clients, without TLS: for what can't be asked of the API server, such as a compaction. */
  get etcdUrl(): string {
    return this.#running().etcdUrl;
  }

  /** Process ids of the servers that run, by name. */
  get pids(): { etcd?: number; apiServer?: number; controllerManager?: number } {
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

  // Webhooks first: nobody answers them any more, and deletions would ask them.
  #cleanUp(plane: Plane, { crdInstall }: Settings): Promise<void> {
    const { crds, webhooks } = this.#installed;
    return this.#withTransport(plane, async (transport) => {
      await uninstallWebhooks(transport, webhooks);
      await uninstallCRDs(transport, crds, crdInstall);
    });
  }

  async #withTransport(plane: Plane, work: (transport: Transport) => Promise<void>): Promise<void> {
    const transport = createTransport(plane.admin);
    try {
      await work(transport);
    } finally {
      await transport.close();
    }
  }

  #running(): Plane {
    if (!this.#plane) throw new Error("the test environment doesn't run: await start() first");
    return this.#plane;
  }
}

function planeFor(options: TestEnvironmentOptions, settings: Settings): Promise<Plane> | Plane {
  if (settings.useExistingCluster) return new ExistingCluster(options.config ?? loadConfig());
  return startPlane(() => ControlPlane.prepare(options, settings), settings.stopTimeout);
}

// A port can be taken between the moment it is found free and the moment the server binds it: then others are drawn.
async function startPlane(prepare: () => Promise<ControlPlane>, stopTimeout: number): Promise<ControlPlane> {
  for (let tries = 1; ; tries++) {
    const plane = await prepare();
    try {
      await plane.start();
      return plane;
    } catch (error) {
      await plane.stop(stopTimeout);
      const portTaken = error instanceof Error && /address already in use/.test(error.message);
      if (!portTaken || tries === START_TRIES) throw error;
    }
  }
}
