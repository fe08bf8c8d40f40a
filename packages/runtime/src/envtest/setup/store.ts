import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A release of the test servers in a store. */
export interface StoredRelease {
  /** Version, such as `1.36.3`. */
  version: string;
  /** Go's name of the system, such as `linux`; `arch` is that of the processor, such as `amd64`. */
  os: string;
  arch: string;
  directory: string;
}

/** The binaries that every release must contain. */
export const REQUIRED_BINARIES: readonly string[] = ["etcd", "kube-apiserver"];

/** Returns the store of Go's setup-envtest, which both tools share. */
export function defaultStoreDirectory(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === "win32") {
    const local = env.LocalAppData ?? env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
    return join(local, "kubebuilder-envtest", "k8s");
  }
  if (platform === "darwin") {
    return join(homedir(), "Library", "Application Support", "io.kubebuilder.envtest", "k8s");
  }
  return join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "kubebuilder-envtest", "k8s");
}

/** Returns Go's name of this system. */
export function goOs(platform: string = process.platform): string {
  return platform === "win32" ? "windows" : platform;
}

/** Returns Go's name of this processor. */
export function goArch(arch: string = process.arch): string {
  const names: Record<string, string> = { x64: "amd64", ia32: "386", ppc64: "ppc64le" };
  return names[arch] ?? arch;
}

/** Returns the file name of a binary on a system. */
export function binaryName(name: string, os: string = goOs()): string {
  return os === "windows" ? `${name}.exe` : name;
}

/** Returns the complete releases of a store, newest first. */
export function storedReleases(store: string): StoredRelease[] {
  if (!existsSync(store)) return [];
  const releases: StoredRelease[] = [];
  for (const entry of readdirSync(store)) {
    const [, version, os, arch] = /^(\d+\.\d+\.\d+)-([a-z0-9]+)-([a-z0-9]+)$/.exec(entry) ?? [];
    if (!version || !os || !arch) continue;
    const directory = join(store, entry);
    if (REQUIRED_BINARIES.every((name) => existsSync(join(directory, binaryName(name, os))))) {
      releases.push({ version, os, arch, directory });
    }
  }
  return releases.sort((a, b) => compareVersions(b.version, a.version) || a.directory.localeCompare(b.directory));
}

/** Compares two versions of three numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let place = 0; place < 3; place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
