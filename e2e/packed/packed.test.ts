// Tests the packages that users get: the packed tarballs, installed into an empty directory outside this checkout, on a
// PATH without Go.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import { target } from "../../scripts/test-support/tools.ts";
import { testContents } from "./contents.ts";
import { packedPackages } from "./packed-packages.ts";

const packed = packedPackages();
const { parent, home, env, npm, tarballs, install } = packed;
const project = join(parent, "mygame");

beforeAll(async () => {
  mkdirSync(project);
  await install();
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  expect(tarballs()).toEqual(
    ["create-kubewright", "kubewright", "kubewright-apiserver", "kubewright-cel", "kubewright-runtime"].map(
      (name) => `${name}-${version}.tgz`,
    ),
  );
});

testContents(packed);

describe("the packed tarballs", { sequential: true }, () => {
  it("run without Go", async () => {
    expect((await run("sh", ["-c", "command -v go"], { cwd: home, env })).code).not.toBe(0);
  });

  it("contain no sources, tests or test data", () => {
    for (const name of ["kubewright", "@kubewright/runtime", "@kubewright/apiserver", "@kubewright/cel"]) {
      const files = readdirSync(join(home, "node_modules", name), { recursive: true, encoding: "utf8" })
        .filter((file) => !file.startsWith("templates") && !file.startsWith("node_modules"))
        .filter((file) => statSync(join(home, "node_modules", name, file)).isFile());
      expect(
        files.filter((file) => /(^|\/)(src|testdata|scripts|conformance)\/|\.test\.|(?<!\.d)\.ts$/.test(file)),
      ).toEqual([]);
      expect(files).toEqual(expect.arrayContaining(["LICENSE", "NOTICE", "README.md", "package.json"]));
    }
  });

  it("export only the entry points of the runtime", async () => {
    const script = `
      const paths = ["", "/api", "/api/apps/v1", "/api/core/v1", "/envtest", "/metrics", "/testing"];
      for (const path of paths) await import("@kubewright/runtime" + path);
      const inner = await import("@kubewright/runtime/dist/index.js").then(() => "open", (error) => error.code);
      console.log(inner);
    `;
    const { stdout } = await must("node", ["--input-type=module", "-e", script], { cwd: home, env });
    expect(stdout.trim()).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  it("scaffold, generate, build and test a project", async () => {
    const scaffold = join(home, "node_modules/.bin/scaffold");
    await must(scaffold, ["init", "--domain", "qingwave.github.io", "--project-name", "mygame"], { cwd: project, env });
    await must(
      "npx",
      ["--no-install", "scaffold", "create", "api", "--group", "myapp", "--version", "v1", "--kind", "Game"],
      {
        cwd: project,
        env,
      },
    );
    const [command, ...args] = target("manifests");
    await must(command, args, { cwd: project, env });
    expect(existsSync(join(project, "config/crd/bases/myapp.qingwave.github.io_games.yaml"))).toBe(true);
    // Also generates and type-checks.
    await npm(project, "run", "build");
    await npm(project, "test");
  });

  fullTest("have all packages in the lock file, and keep the strictest options of the compiler", async () => {
    // As the project's CI does.
    await npm(project, "ci");
    const strictest = ["--exactOptionalPropertyTypes", "--noUnusedLocals", "--noImplicitReturns"];
    await must("npx", ["--no-install", "tsc", "--noEmit", ...strictest], { cwd: project, env });
  });

  it("add no package to an operator that only setup-envtest uses", async () => {
    const { stdout } = await npm(project, "ls", "--omit=dev", "--all", "--parseable");
    expect(stdout).toContain("node_modules/pino\n");
    expect(stdout).not.toMatch(/node_modules\/(undici|tar)$/m);
  });

  fullTest("report missing files in doctor, need no upgrade, and remove a kind completely", async () => {
    // The doctor requires kubectl, which isn't on every machine that runs this test.
    const kubectl = join(parent, "kubectl");
    writeFileSync(kubectl, '#!/bin/sh\necho "clientVersion: {gitVersion: v1.36.3}"\n', { mode: 0o755 });
    const doctorEnv = { ...env, KUBECTL: kubectl };
    const scaffold = (...args: string[]) =>
      run("npx", ["--no-install", "scaffold", ...args], { cwd: project, env: doctorEnv });
    expect(await scaffold("doctor")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/No errors|All checks passed/),
    });
    expect(await scaffold("upgrade", "--check")).toMatchObject({ code: 0, stdout: "" });
    rmSync(join(project, "src/controller/game-controller.ts"));
    expect(await scaffold("doctor")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("✗ src/controller/game-controller.ts is missing"),
    });
    const game = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
    expect(await scaffold("delete", "api", ...game)).toMatchObject({ code: 0 });
    expect(readFileSync(join(project, "PROJECT"), "utf8")).not.toContain("Game");
    expect(existsSync(join(project, "api"))).toBe(false);
    expect(await scaffold("create", "api", ...game)).toMatchObject({ code: 0 });
  });

  fullTest("move a project to the multigroup layout and back", async () => {
    const scaffold = (...args: string[]) => must("npx", ["--no-install", "scaffold", ...args], { cwd: project, env });
    await scaffold("edit", "--multigroup");
    expect(existsSync(join(project, "api/myapp/v1/game-types.ts"))).toBe(true);
    await scaffold("generate");
    await npm(project, "run", "typecheck");
    const strictest = ["--exactOptionalPropertyTypes", "--noUnusedLocals", "--noImplicitReturns"];
    await must("npx", ["--no-install", "tsc", "--noEmit", ...strictest], { cwd: project, env });
    await scaffold("edit", "--multigroup=false");
    expect(existsSync(join(project, "api/v1/game-types.ts"))).toBe(true);
  });

  fullTest("create a project with a working operator by npm create, in a directory without packages", async () => {
    // As npm create calls it, but without a registry.
    const creator = join(home, "node_modules/.bin/create-kubewright");
    const created = await must(creator, ["website", "--domain", "example.com"], { cwd: parent, env });
    expect(created.stdout).toMatch(/^Created project website with the kind Website: \d+ files\. Next:\n/);
    const website = join(parent, "website");
    // Generates, checks types, and runs the tests of the example, which repair a deleted Deployment.
    await npm(website, "run", "build");
    const { stdout } = await npm(website, "test");
    expect(stripVTControlCharacters(stdout)).toContain("5 passed (5)");
    await npm(website, "run", "lint");
    expect(await run("npx", ["--no-install", "scaffold", "upgrade", "--check"], { cwd: website, env })).toMatchObject({
      code: 0,
      stdout: "",
    });
  });

  it("write no path of this machine to the project", () => {
    const texts = ["package.json", "package-lock.json", "Makefile", "PROJECT"].map((name) =>
      readFileSync(join(project, name), "utf8"),
    );
    for (const text of texts) {
      for (const place of [parent, checkout]) expect(text).not.toContain(place);
    }
  });
});
