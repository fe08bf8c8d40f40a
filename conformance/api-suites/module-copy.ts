// Copies of Go modules that contain test suites.
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must } from "../../scripts/lib/run.mjs";

/**
 * Downloads a Go module and copies it to a new temporary directory, because files of the module cache are read-only.
 *
 * @param module - the module and its version, for example `sigs.k8s.io/controller-runtime@v0.25.0`
 * @returns the directory, which the caller removes
 */
export async function copyModule(module: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-suites-"));
  const { stdout } = await must("go", ["mod", "download", "-json", module]);
  const { Dir } = JSON.parse(stdout) as { Dir: string };
  cpSync(Dir, directory, { recursive: true });
  await must("chmod", ["-R", "u+w", directory]);
  return directory;
}
