import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findBinary, type LookupOptions } from "./binaries.ts";
import { downloadedAssets } from "./download-assets.ts";
import type { Settings, TestEnvironmentOptions } from "./options.ts";
import type { Program } from "./servers/server.ts";

/** The servers that a test environment runs: the real ones, or kubewright's embedded API server. */
export type Engine = "embedded" | "binaries";

/** The programs of a test environment. */
export interface Programs {
  engine: Engine;
  etcd: Program;
  apiServer: Program;
  /** Undefined without controllers, and for the embedded API server, which runs its controllers itself. */
  controllerManager: Program | undefined;
}

const apiServerPackage = "@kubewright/apiserver";
let shown = false;

/**
 * Finds the programs of an environment, and prints once which ones are used.
 *
 * @param options - the options of the environment
 * @param settings - the options with defaults
 * @returns the programs
 * @throws Error if they aren't found, or an option isn't supported by the engine
 */
export async function findPrograms(options: TestEnvironmentOptions, settings: Settings): Promise<Programs> {
  const programs = await choose(options, settings);
  checkVersion(programs, options.kubernetesVersion);
  if (!shown) {
    shown = true;
    const what =
      programs.engine === "embedded" ? `embedded API server (${apiServerPackage})` : dirname(programs.apiServer.path);
    process.stderr.write(`envtest: ${what}\n`);
  }
  return programs;
}

/** Refuses servers of another version than the requested one, which only a directory that the user names can have. */
function checkVersion({ engine, apiServer }: Programs, version: string | undefined): void {
  if (engine === "embedded" || version === undefined) return;
  const output = execFileSync(apiServer.path, ["--version"], { encoding: "utf8" }).trim();
  if (output.startsWith(`Kubernetes v${version}.`)) return;
  throw new Error(`kubernetesVersion: ${apiServer.path} is ${output}, not ${version}`);
}

async function choose(options: TestEnvironmentOptions, settings: Settings): Promise<Programs> {
  const withManager = settings.controllers !== undefined;
  if (settings.engine === "embedded") return embedded(options);
  if (options.downloadBinaryAssets) return binaries(await downloadedAssets(options, withManager), withManager);
  try {
    return binaries(options, withManager);
  } catch (error) {
    const isNamed = process.env.KUBEBUILDER_ASSETS !== undefined || options.binaryAssetsDirectory !== undefined;
    if (settings.engine === "binaries" || isNamed || embeddedPackage() === undefined) throw error;
    return embedded(options);
  }
}

function binaries(lookup: LookupOptions, withManager: boolean): Programs {
  const program = (name: string): Program => ({ path: findBinary(name, lookup), args: [] });
  return {
    engine: "binaries",
    etcd: program("etcd"),
    apiServer: program("kube-apiserver"),
    controllerManager: withManager ? program("kube-controller-manager") : undefined,
  };
}

const onlyForBinaries = ["binaryAssetsDirectory", "downloadBinaryAssets", "controllerManagerFlags"] as const;

function embedded(options: TestEnvironmentOptions): Programs {
  const unsupported = onlyForBinaries.find((name) => options[name] !== undefined && options[name] !== false);
  if (unsupported !== undefined) {
    throw new Error(`${unsupported}: isn't supported by the embedded API server: remove it, or set engine: "binaries"`);
  }
  const directory = embeddedPackage();
  if (directory === undefined) {
    throw new Error(
      `the embedded API server isn't installed: run \`npm install --save-dev ${apiServerPackage}\`, or set engine: "binaries"`,
    );
  }
  const program = (name: string, ...args: string[]): Program => ({
    path: process.execPath,
    args: [join(directory, "dist", `${name}.js`), ...args],
  });
  const { kubernetesVersion } = options;
  const flags = kubernetesVersion === undefined ? [] : [`--kubernetes-version=${kubernetesVersion}`];
  return {
    engine: "embedded",
    etcd: program("etcd"),
    apiServer: program("kube-apiserver", ...flags),
    controllerManager: undefined,
  };
}

/** @returns the directory of the package with the embedded API server; undefined if it isn't installed or built */
function embeddedPackage(): string | undefined {
  try {
    const directory = dirname(createRequire(import.meta.url).resolve(`${apiServerPackage}/package.json`));
    return existsSync(join(directory, "dist/kube-apiserver.js")) ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** The controllers of kube-controller-manager that the embedded API server has under the same names. */
const embeddedNames = [
  "clusterrole-aggregation-controller",
  "serviceaccount-controller",
  "root-ca-certificate-publisher-controller",
  "deployment-controller",
  "replicaset-controller",
  "replicationcontroller-controller",
  "statefulset-controller",
  "daemonset-controller",
  "job-controller",
  "cronjob-controller",
  "endpointslice-controller",
  "disruption-controller",
  "pod-garbage-collector-controller",
];

/**
 * Returns the controllers of the embedded API server that do the work of kube-controller-manager's.
 *
 * @param controllers - the names of kube-controller-manager's controllers
 * @returns the names for the flag of the embedded API server
 */
export function embeddedControllers(controllers: readonly string[]): string[] {
  const all = controllers.includes("*");
  const has = (name: string): boolean => controllers.includes(name) || (all && !controllers.includes(`-${name}`));
  return [
    ...(has("garbage-collector-controller") ? ["garbage-collector"] : []),
    ...(has("namespace-controller") ? ["namespace"] : []),
    ...(has("storage-version-migrator-controller") ? ["storage-version-migrator"] : []),
    ...embeddedNames.filter(has),
  ];
}
