import type { KubernetesObject } from "../api/index.ts";
import type { Config } from "../config/config.ts";
import type { DownloadOptions } from "./download-assets.ts";
import { durationFromEnv } from "./duration.ts";
import { DEFAULT_CONTROLLERS } from "./servers/controller-manager.ts";
import type { Flags } from "./servers/flags.ts";
import { BUILDABLE_VERSIONS, minorOf } from "./setup/versions.ts";
import type { WebhookInstallOptions } from "./webhooks/options.ts";

/** Options of the kube-controller-manager. */
export interface ControllerManagerSettings {
  /**
   * Controllers to run, in the format of kube-controller-manager's `--controllers`.
   *
   * @defaultValue {@link DEFAULT_CONTROLLERS}, which require no nodes
   */
  controllers?: readonly string[];
}

/**
 * Options to install CustomResourceDefinitions, with the names of Go's envtest. Paths and objects are added to those of
 * the environment.
 */
export interface CRDInstallOptions {
  /**
   * Files and directories with CustomResourceDefinitions.
   *
   * @defaultValue none
   */
  paths?: readonly string[];
  /**
   * CustomResourceDefinitions as objects.
   *
   * @defaultValue none
   */
  crds?: readonly KubernetesObject[];
  /**
   * Whether a path that doesn't exist is an error.
   *
   * @defaultValue true
   */
  errorIfPathMissing?: boolean;
  /**
   * Time limit in milliseconds for all served versions to become available.
   *
   * @defaultValue 10000
   */
  maxTime?: number;
  /**
   * Time in milliseconds between two checks.
   *
   * @defaultValue 50
   */
  pollInterval?: number;
  /**
   * Removes installed CRDs, with all their objects, and webhook configurations when the environment stops.
   *
   * @defaultValue false
   */
  cleanUpAfterUse?: boolean;
}

/** Options of a {@link TestEnvironment}: servers to run, and objects to install. */
export interface TestEnvironmentOptions extends DownloadOptions {
  /**
   * Starts no servers, but uses the cluster of `config`, or that of the kubeconfig if it is unset.
   *
   * @defaultValue true if the environment variable `USE_EXISTING_CLUSTER` is `true`
   */
  useExistingCluster?: boolean;
  /**
   * The servers to run: `binaries` are etcd and kube-apiserver, `embedded` is kubewright's API server, which needs only the
   * package `@kubewright/apiserver`. `auto` takes the real servers if they are found without a download, otherwise the
   * embedded one. The first environment of a process prints which one it uses.
   *
   * @defaultValue `KUBEWRIGHT_ENVTEST_ENGINE`, or `auto`
   */
  engine?: "embedded" | "binaries" | "auto";
  /**
   * The minor version of Kubernetes that is served. The embedded API server then has the kinds, fields and features of this
   * version. Real servers are taken from the releases of this version; an error if `KUBEBUILDER_ASSETS` or
   * `binaryAssetsDirectory` refers to others.
   *
   * @defaultValue the newest, or that of the real servers
   */
  kubernetesVersion?: "1.37" | "1.36";
  /**
   * Connection settings of the cluster for `useExistingCluster`.
   *
   * @defaultValue found like `loadConfig`
   */
  config?: Config;
  /**
   * Options to install CustomResourceDefinitions.
   *
   * @defaultValue see {@link CRDInstallOptions}
   */
  crdInstallOptions?: CRDInstallOptions;
  /**
   * Files and directories (without subdirectories) with CustomResourceDefinitions in YAML or JSON. Other kinds are
   * ignored.
   *
   * @defaultValue none
   */
  crdDirectoryPaths?: readonly string[];
  /**
   * CustomResourceDefinitions as objects.
   *
   * @defaultValue none
   */
  crds?: readonly KubernetesObject[];
  /**
   * Whether a path in `crdDirectoryPaths` that doesn't exist is an error.
   *
   * @defaultValue true
   */
  errorIfCRDPathMissing?: boolean;
  /**
   * Also runs a kube-controller-manager: Deployments create Pods, orphans are deleted, and namespaces terminate.
   *
   * @defaultValue false
   */
  controllerManager?: boolean | ControllerManagerSettings;
  /**
   * Webhooks that this process serves: configurations to install, and CRDs to convert.
   *
   * @defaultValue none
   */
  webhookInstallOptions?: WebhookInstallOptions;
  /**
   * Directory with etcd and kube-apiserver. `TEST_ASSET_*` and `KUBEBUILDER_ASSETS` take precedence. With
   * `downloadBinaryAssets`, it is the directory for downloaded releases, and nothing takes precedence.
   *
   * @defaultValue setup-envtest's store
   */
  binaryAssetsDirectory?: string;
  /**
   * Downloads the servers if they are missing, like `setup-envtest use`.
   *
   * @defaultValue false
   */
  downloadBinaryAssets?: boolean;
  /**
   * Prints the servers' output.
   *
   * @defaultValue true if the environment variable `KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT` is `true`
   */
  attachControlPlaneOutput?: boolean;
  /**
   * Time limit in milliseconds for each server to become ready.
   *
   * @defaultValue `KUBEBUILDER_CONTROLPLANE_START_TIMEOUT`, or 20000
   */
  controlPlaneStartTimeout?: number;
  /**
   * Time in milliseconds from SIGTERM to SIGKILL.
   *
   * @defaultValue `KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT`, or 5000
   */
  controlPlaneStopTimeout?: number;
  /**
   * Flags of kube-apiserver, which replace (a string or list) or remove (`null`) default flags.
   *
   * @defaultValue none
   */
  apiServerFlags?: Flags;
  /**
   * Flags of etcd.
   *
   * @defaultValue none
   */
  etcdFlags?: Flags;
  /**
   * Flags of kube-controller-manager.
   *
   * @defaultValue none
   */
  controllerManagerFlags?: Flags;
}

/** Options of {@link TestEnvironment.addUser}. */
export interface UserOptions {
  /**
   * Files and directories with Roles and ClusterRoles, which are created and bound to the user. The namespace of a Role is
   * created, too.
   *
   * @defaultValue none
   */
  rolePaths?: readonly string[];
}

/** Options of {@link TestEnvironment.createObjects}. */
export interface CreateOptions {
  /**
   * Namespace of objects that have none. Objects of cluster-scoped kinds have no namespace.
   *
   * @defaultValue "default"
   */
  namespace?: string;
  /**
   * Files to leave out, for example samples that the API server rejects until they are corrected.
   *
   * @defaultValue []
   */
  except?: readonly string[];
}

/** Options of {@link TestEnvironment.deleteObjects}. */
export interface DeleteObjectsOptions {
  /**
   * Time limit in milliseconds, for each object; 0 to return without waiting until they are gone.
   *
   * @defaultValue 60000
   */
  timeout?: number;
}

/** The options with defaults and environment variables applied. */
export interface Settings {
  engine: "embedded" | "binaries" | "auto";
  useExistingCluster: boolean;
  crdInstall: { maxTime: number; pollInterval: number; cleanUpAfterUse: boolean };
  crdDirectoryPaths: readonly string[];
  crds: readonly KubernetesObject[];
  errorIfCRDPathMissing: boolean;
  /** Controllers to run. `undefined` without a controller manager. */
  controllers: readonly string[] | undefined;
  attachOutput: boolean;
  startTimeout: number;
  stopTimeout: number;
}

// Slower than the usual four seconds, because a machine with two cores can run several test suites.
const START_TIMEOUT = 20_000;
const STOP_TIMEOUT = 5_000;
const CRD_TIME = 10_000;
const CRD_POLL = 50;

/** Applies defaults and environment variables. Throws an `Error` for invalid values. */
export function settle(options: TestEnvironmentOptions, env: NodeJS.ProcessEnv = process.env): Settings {
  const { controllerManager, crdInstallOptions: install = {} } = options;
  const settings = typeof controllerManager === "object" ? controllerManager : {};
  checkVersion(options.kubernetesVersion);
  return {
    engine: options.engine ?? engineFromEnv(env),
    useExistingCluster: options.useExistingCluster ?? env.USE_EXISTING_CLUSTER?.toLowerCase() === "true",
    crdInstall: {
      maxTime: install.maxTime ?? CRD_TIME,
      pollInterval: install.pollInterval ?? CRD_POLL,
      cleanUpAfterUse: install.cleanUpAfterUse ?? false,
    },
    crdDirectoryPaths: [...(options.crdDirectoryPaths ?? []), ...(install.paths ?? [])],
    crds: [...(options.crds ?? []), ...(install.crds ?? [])],
    errorIfCRDPathMissing: options.errorIfCRDPathMissing ?? install.errorIfPathMissing ?? true,
    controllers: controllerManager ? (settings.controllers ?? DEFAULT_CONTROLLERS) : undefined,
    attachOutput: options.attachControlPlaneOutput ?? env.KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT === "true",
    startTimeout:
      options.controlPlaneStartTimeout ?? durationFromEnv("KUBEBUILDER_CONTROLPLANE_START_TIMEOUT", START_TIMEOUT, env),
    stopTimeout:
      options.controlPlaneStopTimeout ?? durationFromEnv("KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT", STOP_TIMEOUT, env),
  };
}

const kubernetesVersions: readonly string[] = BUILDABLE_VERSIONS.map(minorOf);

function checkVersion(version: string | undefined): void {
  if (version === undefined || kubernetesVersions.includes(version)) return;
  throw new Error(`invalid kubernetesVersion ${version}: it must be ${kubernetesVersions.join(" or ")}`);
}

function engineFromEnv({ KUBEWRIGHT_ENVTEST_ENGINE: engine }: NodeJS.ProcessEnv): Settings["engine"] {
  if (!engine) return "auto";
  if (engine === "embedded" || engine === "binaries" || engine === "auto") return engine;
  throw new Error(`KUBEWRIGHT_ENVTEST_ENGINE=${engine}: must be embedded, binaries or auto`);
}
