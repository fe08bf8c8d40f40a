import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { CheckContext } from "./ask.ts";

/** Directory of kubebuilder's system-wide installation. */
const systemDirectory = "/usr/local/kubebuilder/bin";

/**
 * Returns the directory with etcd and kube-apiserver that tests use. It reads the store of setup-envtest directly, because
 * `doctor` doesn't run programs from the project.
 *
 * @returns undefined if there is none for this machine
 */
export function testServers(env: CheckContext["env"]): string | undefined {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const extension = process.platform === "win32" ? ".exe" : "";
  const store = storeDirectory(env);
  const releases = namesIn(store).filter((name) => /^\d+\.\d+\.\d+-/.test(name) && name.endsWith(`-${os}-${arch}`));
  const newestFirst = releases.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  return [...newestFirst.map((name) => join(store, name)), systemDirectory].find((directory) =>
    ["etcd", "kube-apiserver"].every((name) => existsSync(join(directory, `${name}${extension}`))),
  );
}

/** Returns the store directory of setup-envtest, which is the same as in Go. */
function storeDirectory(env: CheckContext["env"]): string {
  const home = env.HOME ?? homedir();
  if (process.platform === "win32") {
    return join(env.LocalAppData ?? env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "kubebuilder-envtest", "k8s");
  }
  if (process.platform === "darwin")
    return join(home, "Library", "Application Support", "io.kubebuilder.envtest", "k8s");
  const { XDG_DATA_HOME } = env;
  const data = XDG_DATA_HOME && isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(home, ".local", "share");
  return join(data, "kubebuilder-envtest", "k8s");
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
