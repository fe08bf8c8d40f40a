// Copies of Go modules that contain test suites.
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must, run } from "../../scripts/lib/run.mjs";

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

/**
 * Runs Go's tests. Servers that they leave running are stopped afterwards: some suites don't stop their own.
 *
 * @param args - the arguments of `go`
 * @param cwd - the directory of the module
 * @param env - added to the environment
 * @returns the output
 */
export async function runGoTests(
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ stdout: string; stderr: string }> {
  const mark = `KUBEWRIGHT_SUITE=${randomUUID()}`;
  const [name, value] = mark.split("=") as [string, string];
  try {
    return await run("go", [...args], { cwd, env: { ...process.env, ...env, [name]: value } });
  } finally {
    for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
      try {
        if (readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark)) process.kill(Number(pid));
      } catch {
        // The process has ended, or belongs to another user.
      }
    }
  }
}
