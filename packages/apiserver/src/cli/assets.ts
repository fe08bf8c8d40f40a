import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../data/package-root.ts";

const executables = { etcd: "dist/etcd.js", "kube-apiserver": "dist/kube-apiserver.js" };

/**
 * Creates a directory with the executables `etcd` and `kube-apiserver`, as `KUBEBUILDER_ASSETS` names it.
 *
 * @param directory - the directory; by default a new temporary one
 * @returns its path
 * @throws Error if the files can't be written
 */
export function createAssets(directory?: string): string {
  const target = directory === undefined ? mkdtempSync(join(tmpdir(), "kubewright-assets-")) : resolve(directory);
  mkdirSync(target, { recursive: true });
  for (const [name, file] of Object.entries(executables)) {
    const script = fileURLToPath(new URL(file, packageRoot()));
    const path = join(target, name);
    writeFileSync(path, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(script)} "$@"\n`);
    chmodSync(path, 0o755);
  }
  return target;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
