import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import { narrowPath } from "../../scripts/test-support/tools.ts";

/** Prepares a directory outside of this checkout for the packed packages, which is removed after the tests of the file. */
export function packedPackages() {
  const parent = mkdtempSync(join(tmpdir(), "kubewright-packed-"));
  const home = join(parent, "empty");
  const path = narrowPath(join(parent, "path"), ["sh", "node", "npm", "npx", "make", "kubectl", "uname", "dirname"]);
  const env = { PATH: path, KUBEBUILDER_ASSETS: undefined };
  const npm = (cwd: string, ...args: string[]) => must("npm", args, { cwd, env });
  const tarballs = () =>
    readdirSync(parent)
      .filter((name) => name.endsWith(".tgz"))
      .sort();
  const files = new Map<string, string[]>();
  afterAll(() => rmSync(parent, { recursive: true, force: true }));
  return {
    parent,
    /** The directory in which they are installed. */
    home,
    /** The environment of a machine without Go. */
    env,
    npm,
    tarballs,
    /** Returns the paths of the files in the package of a workspace, such as `packages/cel`. */
    filesOf: (workspace: string) => files.get(workspace) ?? [],
    /** Packs the packages, and installs them. */
    async install(): Promise<void> {
      mkdirSync(home);
      for (const workspace of [
        "",
        "packages/runtime",
        "packages/apiserver",
        "packages/cel",
        "packages/create-kubewright",
      ]) {
        const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", parent];
        const { stdout } = await must("npm", packing, { cwd: join(checkout, workspace) });
        const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
        files.set(
          workspace,
          packed.files.map(({ path }) => path),
        );
      }
      await npm(home, "install", "--no-audit", "--no-fund", ...tarballs().map((name) => join(parent, name)));
    },
  };
}
