import type { KubernetesObject } from "../api/index.ts";
import type { Config } from "../config/config.ts";
import type { DownloadOptions } from "./download-assets.ts";
import { durationFromEnv } from "./duration.ts";
import { DEFAULT_CONTROLLERS } from "./servers/controller-manager.ts";
import type { Flags } from "./servers/flags.ts";
import type { WebhookInstallOptions } from "./webhooks/options.ts";

/** What a kube-controller-manager of a test runs. */
export interface ControllerManagerSettings {
  /** Names as kube-controller-manager's `--controllers` takes them; by default those that need no nodes. */
  controllers?: readonly string[];
}

/** How CustomResourceDefinitions are installed, by the names of Go's envtest; paths and objects add to those of the environment. */
export interface CRDInstallOptions {
  paths?: readonly string[];
  crds?: readonly KubernetesObject[];
  /** A path that doesn't exist is an error unless this is `false`. */
  errorIfPathMissing?: boolean;
  /** Milliseconds in which every served version must be usable; 10,000 by default. */
  maxTime?: number;
  /** Milliseconds between two looks; 50 by default. */
  pollInterval?: number;
  /** Removes what the environment has installed, CRDs (and with them all their objects) and webhook configurations, when it stops. */
  cleanUpAfterUse?: boolean;
}

/** Which servers a {@link TestEnvironment} runs, and what it installs in them. */
export interface TestEnvironmentOptions extends DownloadOptions {
  /**
   * Starts no servers: CRDs and webhooks go to the cluster of `config`, or else of the kubeconfig as operators find it.
   * `USE_EXISTING_CLUSTER=true` in the environment does so too.
   */
  useExistingCluster?: boolean;
  /** The cluster to use with `useExistingCluster`. */
  config?: Config;
  crdInstallOptions?: CRDInstallOptions;
  /** Files, and directories (not what is below them), with CustomResourceDefinitions as YAML or JSON; other kinds in them are passed over. */
  crdDirectoryPaths?: readonly string[];
  /** CustomResourceDefinitions as objects. */
  crds?: readonly KubernetesObject[];
  /** A path of `crdDirectoryPaths` that doesn't exist is an error unless this is `false`. */
  errorIfCRDPathMissing?: boolean;
  /** Runs a kube-controller-manager too: Deployments get Pods, orphans are collected, namespaces end. */
  controllerManager?: boolean | ControllerManagerSettings;
  /** Webhooks that a server of this process serves: configurations to install, and CRDs to convert. */
  webhookInstallOptions?: WebhookInstallOptions;
  /**
   * Directory with etcd and kube-apiserver; `KUBEBUILDER_ASSETS` and `TEST_ASSET_*` win over it. With `downloadBinaryAssets`: where
   * releases are kept, and nothing wins.
   */
  binaryAssetsDirectory?: string;
  /** Gets the servers where they aren't there yet, as `setup-envtest use` does. */
  downloadBinaryAssets?: boolean;
  /** Shows the servers' output; `KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true` does so too. */
  attachControlPlaneOutput?: boolean;
  /** Milliseconds in which each server must be ready; `KUBEBUILDER_CONTROLPLANE_START_TIMEOUT`, or else 20 s. */
  controlPlaneStartTimeout?: number;
  /** Milliseconds from SIGTERM to SIGKILL; `KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT`, or else 5 s. */
  controlPlaneStopTimeout?: number;
  /** Flags that replace (a string or list) or take away (`null`) those that the servers get by default. */
  apiServerFlags?: Flags;
  etcdFlags?: Flags;
  controllerManagerFlags?: Flags;
}

/** The options with defaults and environment variables in place. */
export interface Settings {
  useExistingCluster: boolean;
  crdInstall: { maxTime: number; pollInterval: number; cleanUpAfterUse: boolean };
  crdDirectoryPaths: readonly string[];
  crds: readonly KubernetesObject[];
  errorIfCRDPathMissing: boolean;
  /** Controllers to run; `undefined` without a controller manager. */
  controllers: readonly string[] | undefined;
  attachOutput: boolean;
  startTimeout: number;
  stopTimeout: number;
}

// A machine whose two cores carry several suites needs longer than the usual four seconds.
const START_TIMEOUT = 20_000;
const STOP_TIMEOUT = 5_000;
const CRD_TIME = 10_000;
const CRD_POLL = 50;

/** Settles the options. Throws an `Error` for what can't be done. */
export function settle(options: TestEnvironmentOptions, env: NodeJS.ProcessEnv = process.env): Settings {
  const { controllerManager, crdInstallOptions: install = {} } = options;
  const settings = typeof controllerManager === "object" ? controllerManager : {};
  return {
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
