// The parts of the project's own packages that a session uses. The command line doesn't depend on them: they are loaded from
// the project, in the project's versions.
import { projectPackage } from "../../tasks/programs.ts";

/** Connection settings, as the runtime and the API server have them. They are passed on as they are. */
export type Config = Readonly<Record<string, unknown>> & { readonly host?: string };

/** A request to an API server. */
export interface KubeRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly maxRetries?: number;
}

/** The runtime's connection to an API server. */
export interface Transport {
  request(request: KubeRequest): Promise<{ readonly status: number; readonly body: unknown }>;
  stream(request: KubeRequest): Promise<AsyncIterable<unknown> & { close(): Promise<void> }>;
  close(): Promise<void>;
}

/** The part of `@kubewright/runtime` that a session uses. */
export interface Runtime {
  createTransport(config: Config, options?: object): Transport;
  loadConfig(options?: { kubeconfig?: string; context?: string }): Promise<Config> | Config;
}

/** The webhooks of a manager, which it offers over its channel. */
export interface OfferedWebhooks {
  readonly port: number;
  readonly cert: string;
  readonly paths: readonly string[];
  readonly definitions: readonly string[];
  readonly namePrefix: string;
  readonly manifests: string;
}

/** The address of webhooks that stays the same while managers start and end. */
export interface WebhookEndpoint {
  readonly port: number;
  /** Sends requests to a manager. */
  use(target: { readonly port: number; readonly cert: string }): void;
  /** Lets requests wait for the next manager. */
  hold(): void;
  /** Answers requests with an error. */
  refuse(reason: string): void;
  close(): Promise<void>;
}

/** The configuration of a cluster that calls the endpoint. */
export interface ClusterWebhooks {
  /** Replaces the address of earlier sessions. */
  refresh(): Promise<void>;
  /** Lets the cluster call the webhooks. Returns what has changed. */
  configure(
    webhooks: Pick<OfferedWebhooks, "paths" | "definitions" | "namePrefix" | "manifests">,
  ): Promise<readonly { readonly kind: string; readonly name: string; readonly action: "created" | "configured" }[]>;
  /** Restores the configuration of others. Returns the names of CRDs that keep the conversion of the session. */
  restore(): Promise<readonly string[]>;
}

/** The keys of an endpoint. They are plain data. */
export interface EndpointKeys {
  readonly ca: string;
}

/** Reads from a cluster, and takes notes of what can't be read. */
export interface FactReader {
  readonly transport: Pick<Transport, "request">;
  readonly note: (text: string) => void;
  /** Time limit of each request, in milliseconds. */
  readonly timeout: number;
}

/** The part of `@kubewright/runtime/dev` that a session uses. */
export interface DevPackage {
  createTransport: Runtime["createTransport"];
  readDefinitions(reader: FactReader): Promise<readonly object[]>;
  readAggregated(reader: FactReader): Promise<readonly string[] | undefined>;
  createClient(config: Config): object;
  createEndpointKeys(hostname: string): Promise<EndpointKeys>;
  readonly WebhookEndpoint: {
    listen(options: {
      readonly host?: string;
      readonly port: number;
      readonly keys: EndpointKeys;
      readonly reason: () => string;
      readonly isDown: () => boolean;
    }): Promise<WebhookEndpoint>;
  };
  readonly ClusterWebhooks: new (options: {
    readonly client: object;
    readonly root: string;
    readonly origin: string;
    readonly ca: string;
    readonly session: string;
    readonly isOwn: boolean;
  }) => ClusterWebhooks;
}

/** A running embedded API server. */
export interface EmbeddedServer {
  readonly url: string;
  readonly config: Config;
  readonly revision: number;
  kubeconfig(): string;
  restore(revision: number): void;
  /** Absent in older versions. */
  saveAgain?(): boolean;
  stop(): Promise<void>;
}

/** The part of `@kubewright/apiserver` that a session uses. */
export interface ApiServerPackage {
  startApiServer(options: object): Promise<EmbeddedServer>;
}

/** The part of `@kubewright/runtime/envtest` that a session uses. */
export interface EnvtestPackage {
  TestEnvironment: new (
    options: object,
  ) => {
    start(): Promise<Config>;
    stop(): Promise<void>;
    readonly kubeconfigPath: string;
  };
}

/**
 * Returns the part of the runtime for sessions, which loads in half of the time of the whole runtime.
 *
 * @throws ProblemError if the package isn't installed
 */
export function devPackageOf(root: string): DevPackage {
  return projectPackage<DevPackage>(root, "@kubewright/runtime/dev");
}

/** @throws ProblemError if the package isn't installed */
export function runtimeOf(root: string): Runtime {
  return projectPackage<Runtime>(root, "@kubewright/runtime");
}
