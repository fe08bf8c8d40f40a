import type { JsonObject } from "@kubewright/cel/json";
import type { KubernetesVersion } from "../data/versions.ts";
import type { Answer, ApiRequest, UserInfo } from "../model/request.ts";

/** A source of time. The runtime's Clock has the same shape, so that one virtual clock drives an operator and its server. */
export interface Clock {
  /** Returns milliseconds that never decrease, comparable only with other values of this clock. */
  now(): number;
  /** Returns the time of the wall clock. */
  date(): Date;
  /** Returns a timer, which calls the function once. */
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
  /**
   * The same time, for work that only keeps watches current. A simulation doesn't wait for its timers.
   *
   * @defaultValue this clock
   */
  readonly background?: Clock;
}

/** The options of {@link startApiServer}. */
/** A way to decide who may do what. */
export type AuthorizationMode = "rbac" | "always-allow";

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
   * True for TLS with a new authority in memory, false for plain HTTP, or the certificates to use (PEM). `clientCA` is the
   * authority of client certificates, which aren't requested without it.
   *
   * @defaultValue true
   */
  tls?: boolean | { cert: string; key: string; clientCA?: string };
  /**
   * False for a server without a socket, which only `handle` reaches.
   *
   * @defaultValue true
   */
  http?: boolean;
  /**
   * The permissions of users: `rbac` follows the roles and bindings, `always-allow` allows everything. With a list, an action is
   * allowed if one of the modes allows it: with both, everything is allowed, and the default roles exist.
   *
   * @defaultValue `rbac`
   */
  authorization?: AuthorizationMode | readonly AuthorizationMode[];
  /**
   * Which controllers run, and how late they are: garbage collection and the deletion of namespaces by default. With `workloads`, Deployments, Jobs,
   * Services and other workloads are simulated: their Pods become ready `podReadyAfter` milliseconds after they are scheduled,
   * 100 by default. With `workloads.controllers`, only the controllers with these names of kube-controller-manager run, and
   * Pods stay pending. Without `workloads.events`, the controllers record no events, and without `workloads.endpoints`, Services
   * have no endpoints.
   */
  controllers?: {
    garbageCollector?:
      | boolean
      | { /** Returns the time in milliseconds from a change to its effects. */ delay(): number };
    namespace?: boolean | { /** Returns the time in milliseconds from a deletion to its effects. */ delay(): number };
    /** Runs StorageVersionMigrations. On by default. */
    storageVersionMigrator?: boolean;
    /** Fills the rules of ClusterRoles such as `admin`. On by default. */
    clusterRoleAggregation?: boolean;
    workloads?:
      | boolean
      | { podReadyAfter?: number; controllers?: readonly string[]; events?: boolean; endpoints?: boolean };
  };
  /**
   * The minor version of Kubernetes whose kinds, fields and defaults of features the server has. Its rules for objects are
   * those of the newest version.
   *
   * @defaultValue the newest version, `1.37`
   */
  kubernetesVersion?: KubernetesVersion;
  /**
   * Feature gates that differ from their defaults in the version, such as `{ ShardedListAndWatch: true }`. A gate that
   * kube-apiserver has and this server doesn't implement is accepted without effect.
   */
  featureGates?: Readonly<Record<string, boolean>>;
  /** CustomResourceDefinitions, which are established when the server has started. */
  crds?: readonly JsonObject[];
  /**
   * Files and directories (without subdirectories) with CustomResourceDefinitions in YAML or JSON, which are treated like
   * `crds`. Other kinds are ignored.
   */
  crdDirectoryPaths?: readonly string[];
  /**
   * Objects that exist at the start. They are stored as they are, including their status: admission and validation don't run.
   * Missing uids, creation times and generations are added. They replace objects of the data file.
   */
  objects?: readonly JsonObject[];
  /** The names of admission plugins that don't run, such as `NamespaceLifecycle`. */
  disabledAdmissionPlugins?: readonly string[];
  /** The names of admission plugins that run although they are off by default: `OwnerReferencesPermissionEnforcement`. */
  enabledAdmissionPlugins?: readonly string[];
  /** Settings of the tokens of service accounts. By default, the server signs them with a new key. */
  serviceAccounts?: { signingKey: string; publicKeys?: readonly string[]; issuers: readonly string[] };
  /** Users of static tokens. */
  tokens?: ReadonlyMap<string, UserInfo>;
  /** A file to which each write is appended, and which is read at the start. */
  dataFile?: string;
  /**
   * How many past changes of a resource remain readable, for how many milliseconds, and how many characters of JSON they may
   * have: 10,000 changes, five minutes and 64 Mi characters by default.
   */
  history?: { changes?: number; age?: number; size?: number };
  /**
   * False for objects without `managedFields`, which takes less time. Server-side apply then treats all fields as written
   * before the first apply.
   *
   * @defaultValue true
   */
  managedFields?: boolean;
  /** The source of time. */
  clock?: Clock;
  /** A source of numbers in [0, 1). */
  random?: () => number;
  /**
   * Answers a request in place of the server, for example with an error that a test needs. Undefined lets the server answer.
   * The body of a request from a socket isn't read yet: its `readBody` reads it, once.
   */
  intercept?: (request: ApiRequest) => Promise<Answer> | Answer | undefined;
  /**
   * Converts custom resources whose definition has a conversion webhook, in place of the webhook: receives an object and the
   * `apiVersion` to convert it to, and returns the converted object, or rejects. For tests that run an operator in this process.
   */
  convert?: (object: JsonObject, apiVersion: string) => Promise<JsonObject>;
  /** Receives warnings about the data file. The default prints them on standard error. */
  warn?: (message: string) => void;
}
