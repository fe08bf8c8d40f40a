// The parts of the project's own packages that a session uses. The command line doesn't depend on them: they are loaded from
// the project, in the project's versions.
import { projectPackage } from "../tasks/programs.ts";

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

/** @throws ProblemError if the package isn't installed */
export function runtimeOf(root: string): Runtime {
  return projectPackage<Runtime>(root, "@kubewright/runtime");
}
