// The recorded results of the cases must equal controller-gen's current results.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const testdata = join(import.meta.dirname, "../../testdata");
const folders = ["webhook", "schemapatch"];

function contents(directory: string): Record<string, string> {
  const files = readdirSync(directory, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length), readFileSync(path, "utf8")]));
}

it.each(folders)("testdata/%s contains the results of controller-gen", (folder) => {
  const scratch = mkdtempSync(join(tmpdir(), "kubewright-generator-cases-"));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  for (const name of folders) cpSync(join(testdata, name), join(scratch, name), { recursive: true });
  execFileSync("go", ["run", ".", "-testdata", scratch], { cwd: import.meta.dirname, stdio: "ignore" });
  const message = "run `go run .` in conformance/generator-cases";
  expect(contents(join(scratch, folder)), message).toEqual(contents(join(testdata, folder)));
});
