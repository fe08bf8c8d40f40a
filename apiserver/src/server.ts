import type { AccessRequest, Authorizer, Decision } from "./access/authorizer.ts";
import { RbacAuthorizer } from "./access/rbac.ts";
import type { Admission } from "./admission/admission.ts";
import { type GoStruct, structOfKind } from "./builtin/codec/go-types.ts";
import { encodeProtobuf } from "./builtin/codec/protobuf.ts";
import { modelPaths, modelsOf } from "./builtin/models.ts";
import { builtInGroups, builtInResources } from "./builtin/resources.ts";
import { GarbageCollector } from "./controllers/garbage-collector.ts";
import { NamespaceController } from "./controllers/namespace.ts";
import { Definitions } from "./crd/definitions.ts";
import { type ConvertCustom, compareVersions } from "./crd/resource-type.ts";
import { type ApiGroup, Discovery } from "./discovery/discovery.ts";
import { createDocuments } from "./documents.ts";
import { createHandler } from "./handle.ts";
import { Authority, type CertificatePair } from "./http/certificates.ts";
import { type Listener, listen } from "./http/listen.ts";
import { decodeJson } from "./json/decode.ts";
import type { Json } from "./json/json.ts";
import { RequestMetrics } from "./metrics.ts";
import { OpenApi } from "./openapi/openapi.ts";
import type { ConnectHandler } from "./registry/connect.ts";
import { timestamp, uuid } from "./registry/metadata.ts";
import { fieldManagerOf } from "./registry/owners.ts";
import type { ResourceType } from "./registry/resource.ts";
import type { Engine } from "./registry/scope.ts";
import type { Encoding } from "./request/negotiation.ts";
import type { Answer, ApiRequest } from "./request/request.ts";
import { badRequest } from "./request/status.ts";
import { decodeYaml } from "./request/yaml.ts";
import { Journal } from "./storage/journal.ts";
import { Store } from "./storage/store.ts";

/** A source of time, such as the runtime's Clock. */
export interface Clock {
  now(): number;
  setTimeout(call: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The options of {@link startApiServer}. */
export interface ApiServerOptions {
  /**
   * The address to listen on.
   *
   * @defaultValue `127.0.0.1`
   */
  host?: string;
  /**
   * The port to listen on; 0 for a free one.
   *
   * @defaultValue 0
   */
  port?: number;
  /**
   * True for TLS with a new authority in memory, false for plain HTTP, or the certificates to use (PEM).
   *
   * @defaultValue true
   */
  tls?: boolean | { cert: string; key: string; clientCA: string };
  /**
   * False for a server without a socket, which only `handle` reaches.
   *
   * @defaultValue true
   */
  http?: boolean;
  /**
   * Who may do what: `rbac` follows the roles and bindings, `always-allow` allows everything.
   *
   * @defaultValue `rbac`
   */
  authorization?: "rbac" | "always-allow";
  /** Which controllers run. Both run by default. */
  controllers?: { garbageCollector?: boolean; namespace?: boolean };
  /** A file to which each write is appended, and which is read at the start. */
  dataFile?: string;
  /** How many past changes of a resource remain readable, and for how many milliseconds. */
  history?: { changes?: number; age?: number };
  /** The source of time. */
  clock?: Clock;
  /** A source of numbers in [0, 1). */
  random?: () => number;
  /** Receives warnings about the data file. The default prints them on standard error. */
  warn?: (message: string) => void;
}

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
  /** Stops the server. Streams end first. */
  stop(): Promise<void>;
}

const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (call, milliseconds) => {
    const timer = setTimeout(call, milliseconds);
    timer.unref();
    return timer;
  },
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

const administrator = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };
const allowAll: Authorizer = { authorize: (_request: AccessRequest): Decision => ({ allowed: true, reason: "" }) };
const noAdmission: Admission = { mutate: async ({ object }) => object, validate: async () => {} };

/**
 * Starts an API server in this process.
 *
 * @param options - see {@link ApiServerOptions}
 * @returns the server, once it answers
 * @throws Error if the port can't be opened or the data file can't be read
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
  const { clock = systemClock, random = Math.random, host = "127.0.0.1" } = options;
  const warn = options.warn ?? ((message: string) => process.stderr.write(`warning: ${message}\n`));
  const journal = options.dataFile === undefined ? undefined : new Journal(options.dataFile, warn);
  const now = (): number => clock.now();
  const store = new Store({
    now,
    ...(options.history ? { limits: options.history } : {}),
    ...(journal ? { journal } : {}),
  });
  const stopping = new AbortController();
  const types = builtInResources();
  const byName = new Map(types.map((type) => [`${type.group}/${type.resource}`, type]));
  let groups = apiGroups(types, []);

  const engine: Engine = {
    store,
    admission: noAdmission,
    authorizer: options.authorization === "always-allow" ? allowAll : new RbacAuthorizer(store),
    now,
    random,
    after: (milliseconds, call) => {
      const timer = clock.setTimeout(call, milliseconds);
      return () => clock.clearTimeout(timer);
    },
    resource: (group, resource) => byName.get(`${group}/${resource}`) ?? definitions.resource(group, resource),
    resources: () => [...types, ...definitions.resources()],
    metaOptions: (encoding, body) => decodeOptions(encoding, body),
    knowsKind: (group, version, kind) => structOfKind(group, version, kind) !== undefined,
    fieldManager: fieldManagerOf,
    stopping: stopping.signal,
  };

  const cleanups: (() => void)[] = [];
  const collector = options.controllers?.garbageCollector === false ? undefined : new GarbageCollector(engine);
  const definitions = new Definitions(engine, withoutConversion, () => {
    groups = apiGroups(types, definitions.resources());
    for (const type of definitions.resources()) if (collector) cleanups.push(collector.observe(type));
  });
  cleanups.push(definitions.start());
  let listener: Listener | undefined;
  const metrics = new RequestMetrics();
  const openapi = new OpenApi({
    paths: () => modelPaths(),
    v3: (path) => ({
      openapi: "3.0.0",
      info: { title: "Kubernetes", version: "1.36" },
      paths: {},
      components: { schemas: modelsOf(path) ?? {} },
    }),
    v2: () => ({ swagger: "2.0", info: { title: "Kubernetes", version: "v1.36.3" }, paths: {}, definitions: {} }),
  });
  const connect = new Map<string, ConnectHandler>();
  const handle = createHandler({
    engine,
    discovery: new Discovery(
      () => groups,
      () => `${host}:${listener?.port ?? 0}`,
    ),
    readToken: () => undefined,
    isBuiltIn: (group, version) =>
      builtInGroups().some((one) => one.name === group && (version === "" || one.versions.includes(version))),
    connect,
    documents: createDocuments({ openapi, metrics, isReady: () => true }),
    statusToProtobuf: (status) => encodeProtobuf(structOfKind("", "v1", "Status") as GoStruct, status),
    count: (info, _request, status) => metrics.count(info, status, info.query.has("dryRun")),
  });

  bootstrap(engine);
  if (options.controllers?.namespace !== false) cleanups.push(new NamespaceController(engine).start());
  if (collector) for (const type of types) cleanups.push(collector.observe(type));

  const certificates = options.http === false ? undefined : certificatesOf(options.tls ?? true, host, now);
  if (options.http !== false) {
    listener = await listen({
      host,
      port: options.port ?? 0,
      ...(certificates ? { tls: { ...certificates.serving, clientCA: certificates.clientCA } } : {}),
      handle: (request) => handle(certificates ? request : { ...request, user: request.user ?? trusted(request) }),
    });
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
    get revision() {
      return store.revision;
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
    restore: (revision) => store.restore(revision),
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      for (const cleanup of cleanups) cleanup();
      await listener?.close();
      store.close();
    },
  };
}

/** Without TLS, nobody can prove who they are: requests without credentials come from the administrator. */
function trusted(request: ApiRequest): typeof administrator | undefined {
  return request.headers.authorization === undefined ? administrator : undefined;
}

function certificatesOf(tls: NonNullable<ApiServerOptions["tls"]>, host: string, now: () => number) {
  if (tls === false) return undefined;
  if (tls !== true) {
    return { serving: { cert: tls.cert, key: tls.key }, clientCA: tls.clientCA, ca: "", authority: undefined };
  }
  const authority = new Authority("kubewright-apiserver", now);
  const names = ["localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const serving = authority.issueServing([...new Set([host, ...names])]);
  return { serving, clientCA: authority.cert, ca: authority.cert, authority };
}

/** Lists the groups in the order of discovery: the built-in ones first. */
function apiGroups(types: readonly ResourceType[], custom: readonly ResourceType[]): ApiGroup[] {
  const groups = builtInGroups().map(({ name, versions }) => ({
    name,
    versions: versions.map((version) => ({
      version,
      resources: types.filter((type) => type.group === name && type.versions.has(version)),
    })),
  }));
  for (const name of [...new Set(custom.map(({ group }) => group))].sort()) {
    const own = custom.filter(({ group }) => group === name);
    const versions = [...new Set(own.flatMap((type) => [...type.versions.keys()]))].sort(compareVersions);
    groups.push({
      name,
      versions: versions.map((version) => ({ version, resources: own.filter((type) => type.versions.has(version)) })),
    });
  }
  return groups;
}

/** Versions without a webhook differ only in their names. */
function withoutConversion(): ConvertCustom {
  return (object, apiVersion) => ({ ...object, apiVersion });
}

function decodeOptions(encoding: Encoding, body: Uint8Array | string): Json {
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  try {
    return encoding === "yaml" ? decodeYaml(text, badRequest).value : decodeJson(text).value;
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

/** Creates the objects that every server has. */
function bootstrap(engine: Engine): void {
  const namespaces = engine.store.collection("namespaces");
  for (const name of ["default", "kube-node-lease", "kube-public", "kube-system"]) {
    if (namespaces.get(name) !== undefined) continue;
    engine.store.put(namespaces, name, (revision) =>
      JSON.stringify({
        metadata: {
          name,
          uid: uuid(engine.random),
          resourceVersion: String(revision),
          creationTimestamp: timestamp(engine.now()),
          labels: { "kubernetes.io/metadata.name": name },
        },
        spec: { finalizers: ["kubernetes"] },
        status: { phase: "Active" },
      }),
    );
  }
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
