import {
  type Dirent,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a directory with the given files, which is removed when the test ends. */
export function testDirectory(files: Readonly<Record<string, string>> = {}): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-test-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** Returns the entries below a directory. `recursive` of readdir follows links on Node 22 and later, also out of the tree. */
function entriesBelow(directory: string): Dirent[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => [
    entry,
    ...(entry.isDirectory() ? entriesBelow(join(directory, entry.name)) : []),
  ]);
}

/** Returns everything below a directory: texts by path, links with their targets, empty directories with a slash. */
export function snapshot(directory: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of entriesBelow(directory)) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(directory.length + 1).replaceAll("\\", "/");
    if (entry.isSymbolicLink()) files[name] = `-> ${readlinkSync(path)}`;
    else if (entry.isDirectory()) files[`${name}/`] = "";
    else files[name] = `${(lstatSync(path).mode & 0o777).toString(8)} ${readFileSync(path, "latin1")}`;
  }
  return files;
}
