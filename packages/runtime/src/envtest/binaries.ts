import { existsSync } from "node:fs";
import { join } from "node:path";
import { binaryName, defaultStoreDirectory, goArch, goOs, storedReleases } from "./setup/store.ts";
import { DEFAULT_VERSION, minorOf } from "./setup/versions.ts";

// Default directory of kubebuilder's installations in earlier versions.
const SYSTEM_DIRECTORY = "/usr/local/kubebuilder/bin";

/** Options of {@link findBinary}. */
export interface LookupOptions {
  /**
   * Directory with the binaries.
   *
   * @defaultValue none
   */
  binaryAssetsDirectory?: string;
  /**
   * Environment variables.
   *
   * @defaultValue those of the process
   */
  env?: NodeJS.ProcessEnv;
  /**
   * Store of setup-envtest.
   *
   * @defaultValue setup-envtest's default directory
   */
  store?: string;
  /**
   * Minor version of the releases in the store that are taken.
   *
   * @defaultValue any
   */
  kubernetesVersion?: string;
}

/**
 * Finds the binary of a test server. Like in Go's envtest, the first of these that is set applies: `TEST_ASSET_<NAME>`,
 * `KUBEBUILDER_ASSETS`, `binaryAssetsDirectory`. Without them, it is the newest release in setup-envtest's store that
 * contains it (preferably the release that setup-envtest installs by default), then /usr/local/kubebuilder/bin.
 *
 * @param name - name of the binary, such as `kube-apiserver`
 * @param options - see {@link LookupOptions}
 * @returns the path of the binary
 * @throws Error with the searched places if it isn't found
 */
export function findBinary(name: string, options: LookupOptions = {}): string {
  const { env = process.env, binaryAssetsDirectory, store = defaultStoreDirectory(env), kubernetesVersion } = options;
  const variable = `TEST_ASSET_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;
  const file = binaryName(name);
  if (env[variable]) return existing(env[variable], name, variable);
  if (env.KUBEBUILDER_ASSETS) return existing(join(env.KUBEBUILDER_ASSETS, file), name, "KUBEBUILDER_ASSETS");
  if (binaryAssetsDirectory) return existing(join(binaryAssetsDirectory, file), name, "binaryAssetsDirectory");

  const stored = storedReleases(store)
    .filter((release) => release.os === goOs() && release.arch === goArch())
    .filter(({ version }) => kubernetesVersion === undefined || minorOf(version) === kubernetesVersion)
    .sort((a, b) => Number(b.version === DEFAULT_VERSION) - Number(a.version === DEFAULT_VERSION))
    .map((release) => join(release.directory, file));
  const binary = [...stored, join(SYSTEM_DIRECTORY, file)].find((path) => existsSync(path));
  if (binary) return binary;
  throw new Error(
    `${name} not found: neither ${variable} nor KUBEBUILDER_ASSETS is set, and neither ${store} nor ${SYSTEM_DIRECTORY} ` +
      `contains it: run \`${setupCommand(name, kubernetesVersion)}\``,
  );
}

function existing(path: string, name: string, source: string): string {
  if (existsSync(path)) return path;
  throw new Error(`${name} not found: ${source} refers to ${path}, which doesn't exist: run \`${setupCommand(name)}\``);
}

function setupCommand(name: string, version = ""): string {
  return `npx setup-envtest use${version && ` ${version}`}${name === "kube-controller-manager" ? " --controller-manager" : ""}`;
}
