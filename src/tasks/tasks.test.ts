// The commands of the make targets, with stubs of packages and programs.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { stubPackages } from "../../scripts/test-support/stub-packages.ts";
import { sample } from "../../scripts/test-support/thorough.ts";
import { runCli } from "../cli/test-support/run-cli.ts";
import { createApi, initProject } from "../scaffold/test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "../scaffold/test-support/tree.ts";

const generate =
  "scaffold generate rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases";
const PATH = process.env.PATH ?? "";

const makeGame = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
});

async function game(manager = ""): Promise<string> {
  const root = testDirectory();
  await makeGame(root);
  stubPackages(root, manager);
  return root;
}

const callsOf = (root: string) => readFileSync(join(root, "calls"), "utf8").trim().split("\n");

it("run requires a project", async () => {
  expect(await runCli(testDirectory(), ["run"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no PROJECT file"),
  });
});

describe("a task with --dry-run", () => {
  const check = [generate, "biome format --write .", "tsc --noEmit"];
  const bundle = "esbuild src/main.ts --bundle --outfile=dist/main.js";
  const apply = ["kubectl apply --server-side --force-conflicts -f -"];

  const commands: readonly (readonly [string, readonly string[], Record<string, string>])[] = [
    ["build", [...check, bundle], {}],
    ["build --bundle-only", [bundle], {}],
    ["run -- --leader-elect", [...check, bundle, "node dist/main.js --leader-elect"], {}],
    ["run -- -- --leader-elect", [...check, bundle, "node dist/main.js --leader-elect"], {}],
    ["dev -- --leader-elect", ["esbuild src/main.ts --bundle", "node main.js --leader-elect"], {}],
    ["install", [generate, "kubectl kustomize config/crd", ...apply], {}],
    [
      "install",
      [generate, "kustomize build config/crd", "k apply --server-side --force-conflicts -f -"],
      { KUBECTL: "k", KUSTOMIZE: "kustomize build" },
    ],
    ["uninstall", [generate, "kubectl kustomize config/crd", "kubectl delete --ignore-not-found=false -f -"], {}],
    [
      "uninstall --ignore-not-found",
      [generate, "kubectl kustomize config/crd", "kubectl delete --ignore-not-found=true -f -"],
      {},
    ],
    [
      "uninstall ignore-not-found=true",
      [generate, "kubectl kustomize config/crd", "kubectl delete --ignore-not-found=true -f -"],
      {},
    ],
    ["deploy", [generate, "kubectl kustomize dist/deploy", ...apply], {}],
    [
      "undeploy",
      ["kubectl kustomize dist/deploy", "kubectl delete --ignore-not-found=true -f -"],
      { IGNORE_NOT_FOUND: "true" },
    ],
    ["build-installer", [generate, "kubectl kustomize dist/deploy"], {}],
    ["docker-push", ["podman push example.com/game:v1"], { CONTAINER_TOOL: "podman", IMG: "example.com/game:v1" }],
    ["setup-test-e2e", ["kind get clusters", "kind create cluster --name mygame-test-e2e"], {}],
    [
      "test-e2e",
      [
        "kind get clusters",
        "kind create cluster --name own",
        ...check,
        "vitest run --config test/e2e/vitest.config.ts",
        "kind delete cluster --name own",
      ],
      { KIND_CLUSTER: "own" },
    ],
    ["cleanup-test-e2e", ["k delete cluster --name mygame-test-e2e"], { KIND: "k" }],
  ];
  it.each(sample(commands, 9))("prints the program calls of %s, and changes nothing", async (line, calls, env) => {
    const root = await game();
    const before = snapshot(root);
    const words = line.split(" ");
    const argv = [...words.slice(0, 1), "--dry-run", ...words.slice(1)];
    expect(await runCli(root, argv, { env })).toEqual({ code: 0, stdout: `${calls.join("\n")}\n`, stderr: "" });
    expect(JSON.parse((await runCli(root, ["--json", ...argv], { env })).stdout)).toMatchObject({ calls });
    expect(snapshot(root)).toEqual(before);
  });
});

describe("a project with a Helm chart", () => {
  fullTest("updates the chart with make manifests, and compares it with --check", async () => {
    const root = testDirectory();
    await makeGame(root);
    await runCli(root, ["edit", "--helm"]);
    expect(await runCli(root, ["deploy", "--dry-run"])).toMatchObject({
      stdout: expect.stringContaining(`${generate}\nscaffold edit --helm --quiet\nkubectl`),
    });
    expect(await runCli(root, ["manifests", "--check"])).toMatchObject({ code: 1 });
    expect(await runCli(root, ["manifests"])).toMatchObject({ code: 0 });
    expect(await runCli(root, ["manifests", "--check"])).toMatchObject({ code: 0 });
    const chart = join(root, "chart/values.yaml");
    const manager = join(root, "config/manager/manager.yaml");
    writeFileSync(manager, readFileSync(manager, "utf8").replace("cpu: 500m", "cpu: 600m"));
    expect(await runCli(root, ["manifests", "--check"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("update chart/values.yaml"),
    });
    expect(readFileSync(chart, "utf8")).toContain("cpu: 500m");
    expect(await runCli(root, ["manifests"])).toMatchObject({ code: 0 });
    expect(readFileSync(chart, "utf8")).toContain("cpu: 600m");
  });

  it("is installed with the image in IMG and further flags", async () => {
    const root = testDirectory();
    await makeGame(root);
    await runCli(root, ["edit", "--helm"]);
    const env = { IMG: "localhost:5000/game:v2", HELM: "h", HELM_NAMESPACE: "games", HELM_EXTRA_ARGS: "--set a=b" };
    const { stdout } = await runCli(root, ["helm-deploy", "--dry-run", "--", "--debug"], { env });
    expect(stdout.split("\n").slice(2)).toEqual([
      "h upgrade --install mygame chart --namespace games --create-namespace --set-string manager.image.repository=localhost:5000/game --set-string manager.image.tag=v2 --wait --timeout=5m --set a=b --debug",
      "",
    ]);
    for (const command of ["uninstall", "status", "history", "rollback"]) {
      expect((await runCli(root, [`helm-${command}`, "--dry-run"], { env: { HELM_RELEASE: "r" } })).stdout).toBe(
        `helm ${command} r --namespace mygame-system\n`,
      );
    }
  });

  it("is packaged and pushed with VERSION, after the chart of the CRDs", async () => {
    const root = testDirectory();
    await makeGame(root);
    await runCli(root, ["edit", "--helm", "--crd-chart"]);
    const calls = async (command: string, env: Record<string, string>) =>
      (await runCli(root, [command, "--dry-run"], { env })).stdout.trimEnd().split("\n").slice(2);
    expect(await calls("helm-package", {})).toEqual([
      "helm package chart-crds --destination=dist/charts",
      "helm package chart --destination=dist/charts",
    ]);
    const env = { CHART_REPO: "oci://example.com/charts", VERSION: "v1.2.3", HELM_EXTRA_ARGS: "--plain-http" };
    expect(await calls("helm-push", env)).toEqual([
      "helm package chart-crds --destination=dist/charts --version=1.2.3 --app-version=v1.2.3",
      "helm package chart --destination=dist/charts --version=1.2.3 --app-version=v1.2.3",
      "helm push dist/charts/mygame-crds-1.2.3.tgz oci://example.com/charts --plain-http",
      "helm push dist/charts/mygame-1.2.3.tgz oci://example.com/charts --plain-http",
    ]);
    expect(await runCli(root, ["helm-push", "--dry-run"], { env: { CHART_REPO: "example.com" } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("CHART_REPO=example.com: must be the address of an OCI registry"),
    });
  });

  it("is required by the helm commands", async () => {
    expect(await runCli(await game(), ["helm-status"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no Helm chart\n  hint: create it with npx scaffold edit --helm"),
    });
  });
});

describe.runIf(process.platform !== "win32")("programs and packages of the project", () => {
  it("are started with the flags after --, and their exit code is reported", async () => {
    const root = await game(
      'import { writeFileSync } from "node:fs"; writeFileSync("called", JSON.stringify(process.argv.slice(2))); process.exit(Number(process.env.CODE));',
    );
    const run = (code: number, ...flags: string[]) =>
      runCli(root, ["run", "--quiet", ...flags], { env: { PATH, CODE: `${code}` } });
    expect(await run(0, "--", "--leader-elect", "--json")).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(readFileSync(join(root, "called"), "utf8"))).toEqual(["--leader-elect", "--json"]);
    expect(callsOf(root)).toEqual(["biome format --write .", "tsc --noEmit"]);
    expect(existsSync(join(root, "config/crd/bases/myapp.qingwave.github.io_games.yaml"))).toBe(true);
    expect(await run(3)).toMatchObject({ code: 1, stderr: expect.stringContaining("exit code 3") });
  });

  it("format with Prettier if the project does, and not at all with another formatter", async () => {
    for (const [script, calls] of [
      ["prettier --write .", ["prettier --write .", "tsc --noEmit"]],
      ["dprint fmt", ["tsc --noEmit"]],
    ] as const) {
      const root = await game("formatted");
      const manifest = join(root, "package.json");
      writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"biome format --write ."', `"${script}"`));
      expect(await runCli(root, ["build"], { env: { PATH } })).toMatchObject({ code: 0 });
      expect(callsOf(root)).toEqual(calls);
    }
  });

  fullTest("build the manager although the types of its tests have errors, and only then", async () => {
    const missing = "error TS2741: Property 'image' is missing";
    const root = await game("built");
    const tsc = join(root, "node_modules/.bin/tsc");
    rmSync(tsc, { force: true });
    const build = async (...errors: string[]) => {
      rmSync(join(root, "dist"), { recursive: true, force: true });
      rmSync(join(root, "tsc-calls"), { force: true });
      const script = `#!/bin/sh\necho "$*" >> tsc-calls\ncat <<'END'\n${errors.join("\n")}\nEND\nexit 2\n`;
      writeFileSync(tsc, script, { mode: 0o755 });
      return { ...(await runCli(root, ["build"], { env: { PATH } })), isBuilt: existsSync(join(root, "dist/main.js")) };
    };
    const inTests = [
      "src/controller/game-controller.test.ts(30,5)",
      "src/a.simulation.ts(3,1)",
      "test/role.test.ts(1,1)",
    ];
    expect(await build(...inTests.map((at) => `${at}: ${missing}`), "  in a second line")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("only tests have errors, so the manager is built"),
      isBuilt: true,
    });
    expect(readFileSync(join(root, "tsc-calls"), "utf8")).toBe("--noEmit\n");
    for (const other of ["src/main.ts(1,1): ", "src/contest.ts(1,1): ", ""]) {
      const result = await build(`test/role.test.ts(1,1): ${missing}`, `${other}${missing}`);
      expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining("exit code 2"), isBuilt: false });
    }
    expect(await build("killed")).toMatchObject({ code: 1, isBuilt: false });
  });

  it("can bundle without the other files, as in the image build", async () => {
    const root = await game("bundled");
    for (const name of ["Makefile", "config", "hack"]) rmSync(join(root, name), { recursive: true, force: true });
    expect(await runCli(root, ["build", "--bundle-only"])).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(root, "dist/main.js"), "utf8")).toBe("bundled");
    expect(existsSync(join(root, "calls"))).toBe(false);
  });

  it("are used with the options in the Makefile", async () => {
    const root = await game();
    const makefile = join(root, "Makefile");
    writeFileSync(makefile, readFileSync(makefile, "utf8").replace(" crd webhook ", " crd:maxDescLen=0 webhook "));
    expect(await runCli(root, ["build"], { env: { PATH } })).toMatchObject({ code: 0 });
    const crd = readFileSync(join(root, "config/crd/bases/myapp.qingwave.github.io_games.yaml"), "utf8");
    expect(crd).not.toContain("description:");
    expect(await runCli(root, ["generate", "--check"])).toMatchObject({ code: 0, stdout: "" });
    const { stdout } = await runCli(root, ["doctor"]);
    expect(stdout).toContain("manifests are up to date");
  });

  fullTest("include docker-buildx, whose builder is removed after an interruption", async () => {
    const root = await game();
    const controller = new AbortController();
    const tool = `#!/bin/sh\necho docker "$@" >> calls\n[ "$2" != build ] || exec sleep 60\n[ "$2" != rm ] || { sleep 0.5; touch removed; }\n`;
    writeFileSync(join(root, "node_modules/.bin/docker"), tool, { mode: 0o755 });
    const end = runCli(root, ["docker-buildx"], { env: { PATH }, signal: controller.signal });
    await vi.waitUntil(() => existsSync(join(root, "calls")) && callsOf(root).length === 2, 60_000);
    controller.abort();
    expect(await end).toMatchObject({ code: 130 });
    expect(callsOf(root).at(-1)).toBe("docker buildx rm mygame-builder");
    // The interruption ends the build, but not the removal.
    expect(existsSync(join(root, "removed"))).toBe(true);
    expect(existsSync(join(root, "Dockerfile.cross"))).toBe(false);
  });

  it("aren't started after an error in the manifests, which is reported once", async () => {
    const root = await game();
    writeFileSync(join(root, "api/v1/game-types.ts"), "export interface Game {");
    const { code, stderr } = await runCli(root, ["build"], { env: { PATH } });
    expect(code).toBe(1);
    expect(stderr).toContain("api/v1/game-types.ts:1");
    expect(stderr).not.toContain("failed with");
    expect(existsSync(join(root, "calls"))).toBe(false);
  });

  it("cause an error if they aren't installed or fail", async () => {
    const root = await game();
    const bin = join(root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "docker"), "#!/bin/sh\nexit 7\n", { mode: 0o755 });
    const env = { PATH: [bin, PATH].join(delimiter) };
    expect(await runCli(root, ["docker-push"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("docker push controller:latest failed with exit code 7\n"),
    });
    expect(await runCli(root, ["docker-push"], { env: { ...env, CONTAINER_TOOL: "no-such-tool" } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("can't run no-such-tool: the program isn't installed\n"),
    });
    rmSync(join(root, "node_modules/esbuild"), { recursive: true });
    expect(await runCli(root, ["build", "--bundle-only"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("can't load esbuild: the package isn't installed\n  hint: run npm install\n"),
    });
  });
});
