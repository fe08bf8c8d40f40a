import { existsSync } from "node:fs";
import { join } from "node:path";
import { KUBERNETES_VERSION } from "../api/index.ts";
import { binaryName, defaultStoreDirectory, goArch, goOs, storedReleases } from "./store.ts";

// Where kubebuilder's own installations used to put them.
const SYSTEM_DIRECTORY = "/usr/local/kubebuilder/bin";

/** Where test servers are looked for. */
export interface LookupOptions {
  /** A directory that holds the binaries. */
  binaryAssetsDirectory?: string;
  env?: NodeJS.ProcessEnv;
  /** The store of setup-envtest. */
  store?: string;
}

/**
 * Path of a test server's binary. The first of these that is set decides, as in Go's envtest:
 * `TEST_ASSET_<NAME>`, `KUBEBUILDER_ASSETS`, the option; then the newest release in setup-envtest's store that has it
 * (the one that the core types are from, if it is there), then /usr/local/kubebuilder/bin.
 * Throws an `Error` that says where it looked.
 */
export function findBinary(name: string, options: LookupOptions = {}): string {
  const { env = process.env, binaryAssetsDirectory, store = defaultStoreDirectory(env) } = options;
  const variable = `TEST_ASSET_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;
  const file = binaryName(name);
  if (env[variable]) return existing(env[variable], name, variable);
  if (env.KUBEBUILDER_ASSETS) return existing(join(env.KUBEBUILDER_ASSETS, file), name, "KUBEBUILDER_ASSETS");
  if (binaryAssetsDirectory) return existing(join(binaryAssetsDirectory, file), name, "binaryAssetsDirectory");

  const stored = storedReleases(store)
    .filter((release) => release.os === goOs() && release.arch === goArch())
    .sort((a, b) => Number(isPinned(b.version)) - Number(isPinned(a.version)))
    .map((release) => join(release.directory, file));
  const found = [...stored, join(SYSTEM_DIRECTORY, file)].find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    `${name} not found: neither ${variable} nor KUBEBUILDER_ASSETS is set, and neither ${store} nor ${SYSTEM_DIRECTORY} ` +
      `has it; \`${setupCommand(name)}\` gets it`,
  );
}

function isPinned(version: string): boolean {
  return version === KUBERNETES_VERSION.replace(/^v/, "");
}

function existing(path: string, name: string, source: string): string {
  if (existsSync(path)) return path;
  throw new Error(`${name} not found: ${source} leads to ${path}; \`${setupCommand(name)}\` gets it`);
}

function setupCommand(name: string): string {
  return `npx setup-envtest use${name === "kube-controller-manager" ? " --controller-manager" : ""}`;
}
