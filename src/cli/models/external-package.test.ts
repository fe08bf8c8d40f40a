// The package of an external kind's types has the same version in PROJECT and package.json.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { initProject } from "../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

/** Creates a directory with an npm that reports a version and creates a directory on install. */
function npm(version: string): Record<string, string> {
  const directory = testDirectory();
  const script = `#!/bin/sh\nif [ "$1" = view ]; then echo "${version}"; else /bin/mkdir -p node_modules/@acme/types; fi\n`;
  writeFileSync(join(directory, "npm"), script, { mode: 0o755 });
  return { PATH: directory };
}

const create = (root: string, module: string, env: Record<string, string>) =>
  runCli(
    root,
    [
      ...["create", "api", "--group", "shop", "--version", "v1", "--kind", "Order"],
      ...["--external-api-path", "@acme/types/v1", "--external-api-module", module],
    ],
    { env },
  );
const dependency = (root: string) =>
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies["@acme/types"];
const recorded = (root: string) => /^ {2}module: (.*)$/m.exec(readFileSync(join(root, "PROJECT"), "utf8"))?.[1];

async function project(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  return root;
}

it("records the newest version in PROJECT and package.json if the call has none", async () => {
  const root = await project();
  expect(await create(root, "@acme/types", npm("3.2.1"))).toMatchObject({ code: 0 });
  expect(dependency(root)).toBe("^3.2.1");
  expect(recorded(root)?.replaceAll(/["']/g, "")).toBe("@acme/types@^3.2.1");
  expect(existsSync(join(root, "node_modules"))).toBe(false);
});

it("installs the package if the project's packages are installed", async () => {
  const root = await project();
  mkdirSync(join(root, "node_modules"));
  expect(await create(root, "@acme/types@1.0.0", npm("3.2.1"))).toMatchObject({ code: 0 });
  expect(dependency(root)).toBe("1.0.0");
  expect(existsSync(join(root, "node_modules/@acme/types"))).toBe(true);
});

it("records the version in package.json if the project has the package already", async () => {
  const root = await project();
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  manifest.dependencies["@acme/types"] = "~2.0.0";
  writeFileSync(join(root, "package.json"), JSON.stringify(manifest));
  expect(await create(root, "@acme/types", {})).toMatchObject({ code: 0 });
  expect(recorded(root)?.replaceAll(/["']/g, "")).toBe("@acme/types@~2.0.0");
});

it("rejects a package without a version if npm fails, and writes nothing", async () => {
  const root = await project();
  const before = snapshot(root);
  const { code, stderr } = await create(root, "@acme/types", { PATH: testDirectory() });
  expect(code).toBe(1);
  expect(stderr).toContain('--external-api-module "@acme/types" has no version, and npm couldn\'t find the newest one');
  expect(snapshot(root)).toEqual(before);
});
