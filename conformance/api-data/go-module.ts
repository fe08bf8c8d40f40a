// Copies modules of Go and runs their tests, from which the scripts in these folders extract data. Needs Go.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Downloads a module, and returns its directory in Go's cache. */
export function downloadModule(path: string, version: string): string {
  const args = ["mod", "download", "-json", `${path}@${version}`];
  const { Dir }: { Dir: string } = JSON.parse(execFileSync("go", args, { cwd: tmpdir(), encoding: "utf8" }));
  return Dir;
}

/** A copy of a module whose files can be changed. */
export class ModuleCopy {
  readonly directory: string;

  constructor(path: string, version: string) {
    this.directory = mkdtempSync(join(tmpdir(), "kubewright-go-module-"));
    cpSync(downloadModule(path, version), this.directory, { recursive: true });
    makeWritable(this.directory);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.directory, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.directory, name), "utf8");
  }

  /**
   * Replaces a part of a file.
   *
   * @throws Error if the file doesn't contain the part, as after a change of the module
   */
  replace(name: string, from: string, to: string): void {
    const text = this.read(name);
    if (!text.includes(from)) throw new Error(`${name} changed: it doesn't contain ${from}`);
    this.write(name, text.replace(from, to));
  }

  /** Runs the tests of a folder, which write rows to the file `rows` of the module, and returns this file. */
  test(folder: string, rows: string, ...flags: readonly string[]): string {
    execFileSync("go", ["test", "-count=1", ...flags, folder], {
      cwd: this.directory,
      env: { ...process.env, GOFLAGS: "-mod=mod", ROWS: join(this.directory, rows) },
      stdio: "inherit",
    });
    return this.read(rows);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Files in Go's cache are read-only. */
function makeWritable(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(directory, entry.name));
    else chmodSync(join(directory, entry.name), 0o644);
  }
}
