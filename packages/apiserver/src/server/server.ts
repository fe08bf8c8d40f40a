import { createEngine, type RestartOptions } from "../engine/engine.ts";
import type { ApiServerOptions } from "../engine/options.ts";
import { Authority, type CertificatePair } from "../http/certificates.ts";
import { type Listener, listen } from "../http/listen.ts";
import type { Answer, ApiRequest } from "../model/request.ts";
import { readDefinitions } from "../start/definition-files.ts";
import { storeFlowControl } from "../start/flow-control.ts";
import { installDefinition, storeObject } from "../start/initial-objects.ts";
import { storeEndpoint, storeSystemObjects } from "../start/system-objects.ts";
import { Observation } from "./observation.ts";

/** Connection settings, as the runtime's Manager and clients take them. */
export interface ClientConfig {
  host: string;
  ca?: string;
  cert?: string;
  key?: string;
  token?: string;
}

/** A running server. */
export interface ApiServer {
  /** The URL of the server; empty without a socket. */
  readonly url: string;
  /** The authority that signs the server's certificate, in PEM; empty without TLS. */
  readonly caBundle: string;
  /** The configuration of an administrator (group `system:masters`). */
  readonly config: ClientConfig;
  /** The revision of the last write. */
  readonly revision: number;
  /** Reads the stored objects without requests, and reports writes: for tests and simulations in the same process. */
  readonly observation: Observation;
  /**
   * Creates a kubeconfig.
   *
   * @param user - the connection settings; those of the administrator by default
   * @returns the kubeconfig as text. It contains credentials.
   */
  kubeconfig(user?: ClientConfig): string;
  /**
   * Creates a client certificate.
   *
   * @param user - the name of the user, and the groups
   * @returns the connection settings and the kubeconfig of the user
   * @throws Error if the server has no authority of its own
   */
  addUser(user: { name: string; groups?: readonly string[] }): { config: ClientConfig; kubeconfig: string };
  /**
   * Answers a request without a socket. The user of the request is trusted; without one it is the administrator.
   *
   * @param request - the request
   * @returns the answer. Errors are answers too.
   */
  handle(request: ApiRequest): Promise<Answer>;
  /**
   * Returns to a past state. Watches end.
   *
   * @param revision - a revision within the history
   * @throws RangeError if the history doesn't reach back that far
   */
  restore(revision: number): void;
  /**
   * Writes the data file again if it was removed while the server runs, for example with its directory.
   *
   * @returns whether it was written
   * @throws Error if it can't be written, or another server uses it
   */
  saveAgain(): boolean;
  /**
   * Returns to a past state, as {@link restore} does, and starts the controllers anew: the server continues as one that has
   * just started with these objects.
   *
   * @param revision - a revision within the history
   * @param options - the clock, the random numbers and the controllers from now on; those of before by default
   * @throws RangeError if the history doesn't reach back that far
   */
  restart(revision: number, options?: RestartOptions): Promise<void>;
  /** Stops the server. Streams end first. */
  stop(): Promise<void>;
}

const administrator = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };

/**
 * Starts an API server in this process.
 *
 * @param options - see {@link ApiServerOptions}
 * @returns the server, once it answers
 * @throws Error if the port can't be opened, the data file can't be read, or a definition or object can't be stored
 * @throws RangeError if a feature gate doesn't exist, or can't have the value
 *
 * @example
 * const server = await startApiServer();
 * try {
 *   const mgr = await Manager.create(server.config);
 * } finally {
 *   await server.stop();
 * }
 */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const { host = "127.0.0.1" } = options;
  const certificates = options.http === false ? undefined : certificatesOf(options.tls ?? true, host);
  let listener: Listener | undefined;
  const core = createEngine(options, () => `${host}:${listener?.port ?? 0}`);
  const { engine } = core;
  const { intercept } = options;
  const handle = async (request: ApiRequest): Promise<Answer> => (await intercept?.(request)) ?? core.handle(request);
  let stopWorkloads = (): void => {};
  const end = async (): Promise<void> => {
    stopWorkloads();
    core.stop();
    await listener?.close();
    core.close();
  };
  const runWorkloads = async (settings: RestartOptions["controllers"], hasObjects: boolean): Promise<void> => {
    const workloads = settings?.workloads;
    if (!workloads) return;
    const { startWorkloads } = await import("../controllers/workloads/workloads.ts");
    const given = workloads === true ? {} : workloads;
    stopWorkloads = await startWorkloads(engine, given, certificates?.ca ?? "", hasObjects);
  };
  try {
    await storeSystemObjects(core);
    await storeFlowControl(core);
    for (const definition of [...(options.crds ?? []), ...readDefinitions(options.crdDirectoryPaths ?? [])]) {
      await installDefinition(core, definition);
    }
    for (const object of options.objects ?? []) await storeObject(core, object);
    // No client has seen an earlier state, as in kube-apiserver, whose caches begin at its start.
    engine.store.hidePast();
    if (options.http !== false) {
      listener = await listen({
        host,
        port: options.port ?? 0,
        ...(certificates
          ? { tls: { ...certificates.serving, ...(certificates.clientCA ? { clientCA: certificates.clientCA } : {}) } }
          : {}),
        handle: (request) => handle(certificates ? request : { ...request, user: request.user ?? trusted(request) }),
      });
    }
    if (listener !== undefined) {
      const clientCA = certificates?.clientCA;
      await storeEndpoint(core, { host, port: listener.port, ...(clientCA === undefined ? {} : { clientCA }) });
    }
    await runWorkloads(options.controllers, false);
  } catch (error) {
    await end();
    throw error;
  }
  const url = listener === undefined ? "" : `${certificates ? "https" : "http"}://${host}:${listener.port}`;
  const configOf = (pair: CertificatePair | undefined): ClientConfig => ({
    host: url,
    ...(certificates?.ca ? { ca: certificates.ca } : {}),
    ...(pair ?? {}),
  });
  const admin = configOf(certificates?.authority?.issueClient(administrator.name, ["system:masters"]));
  return {
    url,
    caBundle: certificates?.ca ?? "",
    config: admin,
    observation: new Observation(engine),
    get revision() {
      return engine.store.revision;
    },
    kubeconfig: (user = admin) => kubeconfigOf(user),
    addUser({ name, groups = [] }) {
      if (certificates?.authority === undefined) {
        throw new Error(`addUser ${name}: the server has no certificate authority of its own`);
      }
      const config = configOf(certificates.authority.issueClient(name, groups));
      return { config, kubeconfig: kubeconfigOf(config) };
    },
    handle: (request) => handle({ ...request, user: request.user ?? administrator }),
    restore: (revision) => engine.store.restore(revision),
    saveAgain: () => engine.store.saveAgain(),
    async restart(revision, next = {}) {
      stopWorkloads();
      core.restart(revision, next);
      await runWorkloads(next.controllers ?? options.controllers, true);
    },
    async stop() {
      if (!engine.stopping.aborted) await end();
    },
  };
}

/** Without TLS, clients have no certificates: requests without credentials come from the administrator. */
function trusted(request: ApiRequest): typeof administrator | undefined {
  return request.headers.authorization === undefined ? administrator : undefined;
}

function certificatesOf(tls: NonNullable<ApiServerOptions["tls"]>, host: string) {
  if (tls === false) return undefined;
  if (tls !== true) {
    return { serving: { cert: tls.cert, key: tls.key }, clientCA: tls.clientCA, ca: "", authority: undefined };
  }
  // Both sides of a connection check certificates by the machine's time, whatever the server's clock is.
  const authority = new Authority("kubewright-apiserver", Date.now);
  const names = ["localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const serving = authority.issueServing([...new Set([host, ...names])]);
  return { serving, clientCA: authority.cert, ca: authority.cert, authority };
}

function kubeconfigOf({ host, ca, cert, key, token }: ClientConfig): string {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return `${JSON.stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "kubewright",
      clusters: [
        { name: "kubewright", cluster: { server: host, ...(ca ? { "certificate-authority-data": base64(ca) } : {}) } },
      ],
      users: [
        {
          name: "kubewright",
          user: {
            ...(cert ? { "client-certificate-data": base64(cert) } : {}),
            ...(key ? { "client-key-data": base64(key) } : {}),
            ...(token ? { token } : {}),
          },
        },
      ],
      contexts: [{ name: "kubewright", context: { cluster: "kubewright", user: "kubewright", namespace: "default" } }],
    },
    null,
    2,
  )}\n`;
}
