import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../data/package-root.ts";
import type { KubernetesVersion } from "../data/versions.ts";

const executables = { etcd: "dist/etcd.js", "kube-apiserver": "dist/kube-apiserver.js" };

/**
 * Creates a directory with the executables `etcd` and `kube-apiserver`, as `KUBEBUILDER_ASSETS` names it.
 *
 * @param directory - the directory; by default a new temporary one
 * @param kubernetes - the version whose API the server has; by default the newest
 * @returns its path
 * @throws Error if the files can't be written
 */
export function createAssets(directory?: string, kubernetes?: KubernetesVersion): string {
  const target = directory === undefined ? mkdtempSync(join(tmpdir(), "kubewright-assets-")) : resolve(directory);
  mkdirSync(target, { recursive: true });
  for (const [name, file] of Object.entries(executables)) {
    const script = fileURLToPath(new URL(file, packageRoot()));
    const path = join(target, name);
    const flags = name === "kube-apiserver" && kubernetes !== undefined ? ` --kubernetes-version=${kubernetes}` : "";
    writeFileSync(path, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(script)}${flags} "$@"\n`);
    chmodSync(path, 0o755);
  }
  return target;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
