import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extract as untar } from "tar";
import { describe, expect, it } from "vitest";
import { testDirectory } from "../test-support/tree.ts";
import { packCache } from "./pack-cache.ts";
import { type PackedPackage, packPackage as packInto } from "./pack-package.ts";
import { packageReferences } from "./sources.ts";
import { tarball } from "./tar.ts";

const cli = {
  "package.json": JSON.stringify({
    name: "kubewright",
    version: "0.1.0",
    bin: { scaffold: "bin/scaffold.js" },
    files: ["bin", "dist", "templates"],
    workspaces: ["packages/runtime"],
    scripts: { build: "x" },
    devDependencies: { x: "1" },
    dependencies: { y: "1" },
  }),
  LICENSE: "licence",
  "bin/scaffold.js": "#!/usr/bin/env node",
  "dist/cli/main.cjs": "export {};",
  "templates/init/.gitignore.hbs": "dist/",
  "src/secret.ts": "not packed",
};
const runtime = {
  "package.json": JSON.stringify({ name: "@kubewright/runtime", version: "0.1.0", files: ["dist"] }),
  "dist/index.js": "export {};",
};
const apiserver = {
  "package.json": JSON.stringify({ name: "@kubewright/apiserver", version: "0.1.0", files: ["dist"] }),
  "dist/index.js": "export {};",
};
const below = (directory: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${directory}/${path}`, text]));

const packPackage = (directory: string) => packInto(directory, packCache(directory));

async function extract(bytes: Promise<Uint8Array>): Promise<string> {
  const directory = testDirectory();
  writeFileSync(join(directory, "x.tgz"), await bytes);
  untar({ sync: true, cwd: directory, file: join(directory, "x.tgz") });
  return join(directory, "package");
}

const whole = async (packed: PackedPackage) => ({ ...packed, bytes: await packed.bytes });

describe("packPackage", () => {
  it("includes the files of package.json, without development settings", async () => {
    const packed = packPackage(testDirectory(cli));
    expect(packed.version).toMatch(/^0\.1\.0-local\.h[0-9a-f]{12}$/);
    expect(packed.file).toBe(`kubewright-${packed.version}.tgz`);
    const out = await extract(packed.bytes);
    const listed = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).replace(out, "."))
      .sort();
    expect(listed).toEqual(
      [
        "./LICENSE",
        "./bin/scaffold.js",
        "./dist/cli/main.cjs",
        "./package.json",
        "./templates/init/.gitignore.hbs",
      ].sort(),
    );
    expect(JSON.parse(readFileSync(join(out, "package.json"), "utf8"))).toEqual({
      name: "kubewright",
      version: packed.version,
      bin: { scaffold: "bin/scaffold.js" },
      files: ["bin", "dist", "templates"],
      dependencies: { y: "1" },
    });
    expect(statSync(join(out, "bin/scaffold.js")).mode & 0o111).not.toBe(0);
  });

  it("returns the same bytes for the same contents, for any times and modes", async () => {
    const [earlier, two] = [testDirectory(cli), testDirectory(cli)];
    utimesSync(join(two, "dist/cli/main.cjs"), 1, 1);
    chmodSync(join(two, "LICENSE"), 0o600);
    expect(await whole(packPackage(two))).toEqual(await whole(packPackage(earlier)));
  });

  it("returns another version for other contents", () => {
    const other = { ...cli, "dist/cli/main.cjs": "changed" };
    expect(packPackage(testDirectory(other)).version).not.toBe(packPackage(testDirectory(cli)).version);
  });

  it("rejects a path that doesn't fit into the classic format", async () => {
    const entry = { path: "x".repeat(200), content: Buffer.from(""), executable: false };
    await expect(tarball([entry])).rejects.toThrow("is too long for a tar archive");
  });

  it("keeps the version of an installed tarball", async () => {
    const packed = packPackage(testDirectory(cli));
    const again = packPackage(await extract(packed.bytes));
    expect(await whole(again)).toEqual(await whole(packed));
  });

  it("reuses the tarball of the same build, and replaces that of another one", async () => {
    const checkout = testDirectory({ ...cli, "node_modules/x/package.json": "{}" });
    const cached = () => readdirSync(packCache(checkout));
    const first = packPackage(checkout);
    await first.bytes;
    expect(cached()).toEqual([first.file]);
    writeFileSync(join(packCache(checkout), first.file), "from the cache");
    expect(String(await packPackage(checkout).bytes)).toBe("from the cache");
    writeFileSync(join(checkout, "dist/cli/main.cjs"), "changed");
    const second = packPackage(checkout);
    expect(String(await second.bytes)).not.toBe("from the cache");
    expect(cached()).toEqual([second.file]);
  });

  it("doesn't change an installed package", async () => {
    const installed = testDirectory(cli);
    await packPackage(installed).bytes;
    expect(readdirSync(installed)).not.toContain("node_modules");
  });

  it("supports paths of more than a hundred characters", async () => {
    const path = `dist/${"d".repeat(60)}/${"e".repeat(60)}/file.js`;
    const out = await extract(tarball([{ path, content: Buffer.from("x"), executable: false }]));
    expect(readFileSync(join(out, path), "utf8")).toBe("x");
  });
});

describe("references to the kubewright packages", () => {
  it("are tarballs if the running CLI is a checkout", () => {
    const {
      kubewright,
      runtime: reference,
      apiserver: server,
      files,
    } = packageReferences(
      testDirectory({ ...cli, ...below("packages/runtime", runtime), ...below("packages/apiserver", apiserver) }),
    );
    expect(kubewright).toMatch(/^file:vendor\/kubewright-0\.1\.0-local\.h[0-9a-f]+\.tgz$/);
    expect(server).toMatch(/^file:vendor\/kubewright-apiserver-0\.1\.0-local\.h[0-9a-f]+\.tgz$/);
    expect(reference).toMatch(/^file:vendor\/kubewright-runtime-0\.1\.0-local\.h[0-9a-f]+\.tgz$/);
    expect(files.map(({ path }) => `file:${path}`)).toEqual([kubewright, reference, server]);
  });

  it("are tarballs if the CLI was installed from one, next to the libraries", () => {
    const installed = {
      ...below("node_modules/kubewright", cli),
      ...below("node_modules/@kubewright/runtime", runtime),
      ...below("node_modules/@kubewright/apiserver", apiserver),
    };
    const root = testDirectory(installed);
    expect(packageReferences(join(root, "node_modules/kubewright")).files).toHaveLength(3);
  });

  it("are version ranges if the CLI is a published release", () => {
    const published = { ...cli, "dist/build-info.json": '{"published":true}' };
    expect(packageReferences(testDirectory(published))).toEqual({
      kubewright: "^0.1.0",
      runtime: "^0.1.0",
      apiserver: "^0.1.0",
      files: [],
    });
  });

  it("require a build, which the error mentions", () => {
    const root = testDirectory({
      "package.json": cli["package.json"],
      ...below("packages/runtime", runtime),
      ...below("packages/apiserver", apiserver),
    });
    mkdirSync(join(root, "bin"));
    expect(() => packageReferences(root)).toThrow(/dist\/cli\/main\.cjs is missing: this checkout is not built/);
  });

  it("require the runtime next to the CLI", () => {
    expect(() => packageReferences(testDirectory(cli))).toThrow("@kubewright/runtime is required, but isn't installed");
  });
});
