import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { must } from "../../../scripts/lib/run.mjs";
import { attemptScaffold, checkout } from "../../../scripts/test-support/scaffold.ts";
import { project } from "../simulate.ts";

let directory = "";
let root = "";
let old = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "programs-"));
  [root, old] = [join(directory, "shops"), join(directory, "shops-1.2")];
  for (const one of [root, old]) cpSync(project("program"), one, { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(root, "node_modules"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Replaces a text in a file of a version, which contains it. */
function change(version: string, file: string, before: string, after: string): void {
  const text = readFileSync(join(version, file), "utf8");
  expect(text).toContain(before);
  writeFileSync(join(version, file), text.replace(before, after));
}

function write(path: string, content: object | string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

const simulate = (...flags: string[]) => attemptScaffold(root, "simulate", "--from", "../shops-1.2", ...flags);

async function report(...flags: string[]) {
  const { code, stdout, stderr } = await simulate("--json", ...flags);
  expect(stdout, stderr).not.toBe("");
  return { code, ...JSON.parse(stdout) };
}

const crds = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "shops.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "shops", singular: "shop", kind: "Shop", listKind: "ShopList" },
    scope: "Namespaced",
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** Replaces the old project by its bundle, as in an image. */
async function bundleOld(): Promise<void> {
  const app = join(directory, "app");
  await build({
    ...{
      entryPoints: [join(old, "src/main.ts")],
      outfile: join(app, "main.js"),
      nodePaths: [join(checkout, "node_modules")],
    },
    ...{ bundle: true, format: "esm", platform: "node", target: "node20", minify: true, logLevel: "silent" },
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  rmSync(old, { recursive: true });
  cpSync(app, old, { recursive: true });
  write(join(directory, "install.yaml"), crds);
}

describe("scaffold simulate --from --program", () => {
  it("runs src/main.ts of both versions, with the flags and the environment of their managers", async () => {
    change(root, "src/operator.ts", 'text: "1"', 'text: "2"');
    change(root, "config/manager/manager.yaml", "value: a", "value: b");
    const { code, findings, changes } = await report("--program", "--seeds", "3", "--upgrades", "replace");
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ invariant: "an upgrade leaves nothing behind" }]);
    expect(changes).toMatchObject([{ kind: "ConfigMap", name: "b", action: "created" }]);
  });

  it("has no finding if only a field changes, over all variations", async () => {
    change(root, "src/operator.ts", 'text: "1"', 'text: "2"');
    const { code, findings, changes, upgrades } = await report("--program", "--seeds", "20");
    expect(findings).toEqual([]);
    expect(code).toBe(0);
    expect(changes).toMatchObject([{ path: "data.text", before: "1", after: "2" }]);
    for (const name of ["replace", "overlap", "busy", "interrupt", "rollback"])
      expect(upgrades[name]).toBeGreaterThan(0);
  });

  it("finds that both versions lead, if they have other locks", async () => {
    change(root, "src/main.ts", '"shops"', '"other"');
    change(root, "src/operator.ts", 'text: "1"', 'text: "2"');
    const { findings } = await report("--program", "--seeds", "3");
    expect(findings).toMatchObject([{ invariant: "versions don't fight", upgrade: { variations: ["overlap"] } }]);
  });

  it("reports a program that ends before it creates a manager", async () => {
    change(root, "src/main.ts", "const flags", 'throw new Error("no license");\n  const flags');
    const { code, stderr } = await simulate("--program");
    expect(code).toBe(2);
    expect(stderr).toContain("new: the program ended before it created a manager: process.exit(1): no license");
  });

  it("requires --from", async () => {
    const { code, stderr } = await attemptScaffold(root, "simulate", "--program");
    expect(code).toBe(2);
    expect(stderr).toContain("--program requires --from");
  });
});

describe("scaffold simulate --from BUNDLE", () => {
  it("runs the bundle, and src/main.ts of the new version", async () => {
    await bundleOld();
    change(root, "src/operator.ts", 'text: "1"', 'text: "2"');
    // The bundle has the flags of an image, but the environment of the manager.
    const { from, findings, changes } = await report("--from-crds", "../install.yaml", "--seeds", "3");
    expect(from).toEqual([{ name: "shops-1.2", kind: "bundle" }]);
    expect(findings).toEqual([]);
    expect(changes).toMatchObject([{ path: "data.text", before: "1", after: "2" }]);
  });

  it.each([
    ["has no CRDs", [], {}, "set --from-crds"],
    [
      "has a runtime that is older than the feature",
      ["--from-crds", "../install.yaml"],
      { "main.js": "await 1;" },
      "older",
    ],
  ] as const)("exits with 2 if it %s", async (_case, flags, files, message) => {
    await bundleOld();
    for (const [name, text] of Object.entries(files)) write(join(old, name), text);
    const { code, stderr } = await simulate(...flags);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it("exits with 2 if the directory has no main.js", async () => {
    rmSync(old, { recursive: true });
    mkdirSync(old);
    const { code, stderr } = await simulate("--from-crds", "../install.yaml");
    expect(stderr).toContain("neither a project nor main.js");
    expect(code).toBe(2);
  });
});

describe("scaffold simulate --from --from-install", () => {
  it("uses the packages of the old lock file, and installs them once", async () => {
    const dist = join(checkout, "packages/runtime/dist");
    const name = "@kubewright/runtime";
    const vendor = join(old, "vendor/runtime");
    write(join(vendor, "package.json"), {
      ...{ name, version: "0.0.1", type: "module" },
      exports: { ".": "./index.js", "./simulation": "./simulation.js", "./api/core/v1": "./core.js" },
    });
    write(
      join(vendor, "index.js"),
      `import { Manager as Base } from "${dist}/index.js";
export * from "${dist}/index.js";
export const Manager = {
  create: async (...values) => Object.assign(await Base.create(...values), { packages: "own" }),
};`,
    );
    write(join(vendor, "simulation.js"), `export * from "${dist}/simulation/index.js";`);
    write(join(vendor, "core.js"), `export * from "${dist}/api/core/v1.js";`);
    const dependencies = { [name]: "file:vendor/runtime" };
    write(join(old, "package.json"), { name: "shops", version: "1.2.0", type: "module", dependencies });
    write(join(old, "package-lock.json"), {
      ...{ name: "shops", version: "1.2.0", lockfileVersion: 3, requires: true },
      packages: {
        "": { name: "shops", version: "1.2.0", dependencies },
        [`node_modules/${name}`]: { resolved: "vendor/runtime", link: true },
        "vendor/runtime": { name, version: "0.0.1" },
      },
    });
    for (const one of [root, old]) {
      change(one, "src/operator.ts", '"1"', '(mgr as { packages?: string }).packages ?? "of the project"');
    }
    const first = await report("--from-install", "--seeds", "1", "--upgrades", "replace");
    expect(first.changes).toMatchObject([{ path: "data.text", before: "own", after: "of the project" }]);
    const again = await report("--from-install", "--program", "--seeds", "1", "--upgrades", "replace");
    expect(again.changes).toMatchObject([{ path: "data.text", before: "own", after: "of the project" }]);
    expect(again.findings).toEqual([]);
  });

  it("exits with 2 without a lock file", async () => {
    const { code, stderr } = await simulate("--from-install");
    expect(stderr).toContain("--from-install: shops-1.2 has no package-lock.json");
    expect(code).toBe(2);
  });
});

describe("manifests can be applied", () => {
  const manager = (label: string) => ({
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "manager" } },
    spec: {
      selector: { matchLabels: { app: label } },
      template: { metadata: { labels: { app: label } }, spec: { containers: [{ name: "manager", image: "shop:1" }] } },
    },
  });
  const manifests = (version: string, label: string): void => {
    const base = join(version, "config/default");
    write(join(base, "manager.yaml"), manager(label));
    write(join(base, "kustomization.yaml"), { namespace: "shops", resources: ["manager.yaml"] });
  };

  it("is broken by another selector of the manager's Deployment", async () => {
    manifests(old, "a");
    manifests(root, "b");
    const { code, findings } = await report("--seeds", "1");
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { file: "config/default", invariant: "manifests can be applied", seed: 0, faults: [] },
    ]);
    expect(findings[0].message).toContain("the server rejects the Deployment shops/manager in config/default of new");
    expect(findings[0].replay).toBe("npx scaffold simulate --seed 0 --from ../shops-1.2");
  });

  it("isn't broken by the same manifests", async () => {
    manifests(old, "a");
    manifests(root, "a");
    expect((await report("--seeds", "1")).findings).toEqual([]);
  });
});

it("leaves the old directory unchanged", async () => {
  await must("git", ["init", "--quiet"], { cwd: old });
  await must("git", ["add", "."], { cwd: old });
  await simulate("--program", "--seeds", "1", "--upgrades", "replace");
  expect((await must("git", ["status", "--porcelain"], { cwd: old })).stdout).not.toMatch(/^.[MD?]/m);
});
