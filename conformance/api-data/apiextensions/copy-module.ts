import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Copies a Go module to a temporary directory that can be changed, and returns the directory. */
export function copyModule(module: string): string {
  const work = mkdtempSync(join(tmpdir(), "module-"));
  const { Dir } = JSON.parse(
    execFileSync("go", ["mod", "download", "-json", module], { cwd: work, encoding: "utf8" }),
  ) as { Dir: string };
  cpSync(Dir, work, { recursive: true });
  makeWritable(work);
  return work;
}

function makeWritable(path: string): void {
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(path, entry.name));
    else chmodSync(join(path, entry.name), 0o644);
  }
}
