// The kinds that create api scaffolds for kstatus, and their list in PROJECT.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { initProject } from "../../../scaffold/test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "../../../scaffold/test-support/tree.ts";
import { runCli } from "../../test-support/run-cli.ts";

const kind = (version: string, name = "Game") => `--group myapp --version ${version} --kind ${name}`;
const types = (version: string) => `api/${version}/game-types.ts`;
const controller = "src/controller/game-controller.ts";
const entry = (version: string, name = "Game") => `myapp.qingwave.github.io/${version}/${name}`;

const project = madeOnce((root) => initProject(root));
const game = madeOnce(async (root) => {
  await project(root);
  await ok(root, `create api ${kind("v1")}`);
});
const plain = madeOnce(async (root) => {
  await project(root);
  await ok(root, `create api ${kind("v1")} --kstatus=false`);
});

async function made(create: (root: string) => unknown): Promise<string> {
  const root = testDirectory();
  await create(root);
  return root;
}

async function ok(root: string, call: string): Promise<void> {
  const { code, stderr } = await runCli(root, call.split(" "));
  expect({ call, code, stderr }).toMatchObject({ code: 0 });
}

async function refused(root: string, call: string): Promise<string> {
  const before = snapshot(root);
  const { code, stderr } = await runCli(root, call.split(" "));
  expect({ call, code }).toEqual({ call, code: 2 });
  expect(snapshot(root)).toEqual(before);
  return stderr;
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const listed = (root: string): unknown => parse(read(root, "PROJECT")).plugins?.["ts.kubewright.io/v1"]?.kstatus;

/** Generates the manifests and returns the schema of the status in the CRD of Game. */
async function statusSchema(root: string, version = "v1"): Promise<Record<string, unknown>> {
  const options = "crd paths=./api/... output:crd:artifacts:config=config/crd/bases";
  const { code, stderr } = await runCli(root, ["generate", ...options.split(" ")]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("warning") });
  const crd = parse(read(root, "config/crd/bases/myapp.qingwave.github.io_games.yaml"));
  const { schema } = crd.spec.versions.find(({ name }: { name: string }) => name === version);
  return schema.openAPIV3Schema.properties.status;
}

describe("a new kind", () => {
  it("is in the list of PROJECT", async () => {
    const root = await made(game);
    expect(listed(root)).toEqual([entry("v1")]);
  });

  it("has a CRD that differs from kubebuilder's in observedGeneration and its default", async () => {
    const root = await made(game);
    const own = await statusSchema(root);
    const other = await statusSchema(await made(plain));
    const { observedGeneration, ...properties } = own.properties as Record<string, object>;
    expect(own.default).toEqual({ observedGeneration: -1 });
    expect(observedGeneration).toMatchObject({ type: "integer", format: "int64" });
    expect(Object.keys(properties)).toEqual(Object.keys(other.properties as object));
    expect(Object.keys(own).sort()).toEqual([...Object.keys(other), "default"].sort());
  });

  it("names Ready, Reconciling and Stalled in its types", async () => {
    const root = await made(game);
    const text = read(root, types("v1"));
    for (const type of ["Ready", "Reconciling", "Stalled"]) expect(text).toContain(`- "${type}":`);
    for (const type of ["Available", "Progressing", "Degraded"]) expect(text).not.toContain(type);
  });

  it("has a controller that ends with setReady, and ignores objects that are being deleted", async () => {
    const root = await made(game);
    const text = read(root, controller);
    expect(text).toContain("if (!object || object.metadata.deletionTimestamp) return;");
    expect(text).toMatch(
      /await patchStatus\(this\.client, object, \(copy\) => \{\n\s+setReady\(copy, \{ reason: "Reconciled" \}\);\n\s+\}\);\n {2}\}/,
    );
  });

  it("has the same sample, roles and printer columns as without kstatus", async () => {
    const root = await made(game);
    const [own, other] = [snapshot(root), snapshot(await made(plain))];
    const paths = ["config/samples/", "config/rbac/", "config/crd/"];
    const chosen = (files: Record<string, unknown>) =>
      Object.entries(files).filter(
        ([path]) => paths.some((start) => path.startsWith(start)) && !path.includes("bases"),
      );
    expect(chosen(own)).toEqual(chosen(other));
    expect(read(root, types("v1"))).not.toContain("printcolumn");
  });

  it("is unchanged for scaffold upgrade", async () => {
    const root = await made(game);
    const { stdout } = await runCli(root, ["upgrade", "--dry-run"]);
    expect(stdout).not.toContain("game");
  });
});

describe("with --kstatus=false", () => {
  it("a kind isn't in the list, and has kubebuilder's types and a controller without a status", async () => {
    const root = await made(plain);
    expect(listed(root)).toBeUndefined();
    const text = read(root, types("v1"));
    expect(text).not.toMatch(/observedGeneration|Stalled|default=/);
    for (const type of ["Available", "Progressing", "Degraded"]) expect(text).toContain(`- "${type}":`);
    expect(read(root, controller)).not.toMatch(/setReady|patchStatus|deletionTimestamp/);
  });

  it("scaffold upgrade adds nothing to the kind", async () => {
    const root = await made(plain);
    const { stdout } = await runCli(root, ["upgrade", "--dry-run"]);
    expect(stdout).not.toContain("game");
    expect(listed(root)).toBeUndefined();
  });

  it("a kind that is created again leaves the list", async () => {
    const root = await made(game);
    await ok(root, `create api ${kind("v1")} --force --kstatus=false`);
    expect(listed(root)).toBeUndefined();
    expect(read(root, types("v1"))).not.toContain("observedGeneration");
  });
});

describe("another version of a kind", () => {
  it("is in the list if the kind is", async () => {
    const root = await made(game);
    await ok(root, `create api ${kind("v2")} --controller=false`);
    expect(listed(root)).toEqual([entry("v1"), entry("v2")]);
    expect(await statusSchema(root, "v2")).toMatchObject({ default: { observedGeneration: -1 } });
  });

  it("isn't in the list if the kind isn't", async () => {
    const root = await made(plain);
    await ok(root, `create api ${kind("v2")} --controller=false`);
    expect(listed(root)).toBeUndefined();
    expect(read(root, types("v2"))).not.toContain("observedGeneration");
  });

  it.each([
    [game, "--kstatus=false", "--kstatus=false contradicts v1 of Game, which was created with it"],
    [plain, "--kstatus", "--kstatus=true contradicts v1 of Game, which was created without it"],
  ])("can't differ from the kind (%#)", async (create, flag, message) => {
    expect(await refused(await made(create), `create api ${kind("v2")} --controller=false ${flag}`)).toContain(message);
  });
});

describe("a further controller of a kind", () => {
  it.each([
    [game, true],
    [plain, false],
  ])("writes the status only if the kind is in the list (%#)", async (create, isReady) => {
    const root = await made(create);
    await ok(root, `create api ${kind("v1")} --resource=false --controller-name game-backup`);
    expect(read(root, "src/controller/game-backup-controller.ts").includes("setReady")).toBe(isReady);
  });

  it("of a built-in kind writes no status, and can't have the flag", async () => {
    const root = await made(project);
    const pod = "create api --group core --version v1 --kind Pod --resource=false";
    expect(await refused(root, `${pod} --kstatus`)).toContain(
      "--kstatus can't be combined with an external or built-in kind",
    );
    await ok(root, `${pod} --kstatus=false`);
    expect(read(root, "src/controller/pod-controller.ts")).not.toContain("setReady");
    expect(listed(root)).toBeUndefined();
  });
});

describe("a kind from a CRD", () => {
  const crd = readFileSync(join(import.meta.dirname, "../../../../testdata/from-crd/everything.yaml"), "utf8");

  it("is never in the list", async () => {
    const root = await made(project);
    writeFileSync(join(root, "crd.yaml"), crd);
    await ok(root, "create api --from-crd crd.yaml --kstatus=false");
    expect(listed(root)).toBeUndefined();
  });

  it("can't be combined with --kstatus", async () => {
    const root = await made(project);
    writeFileSync(join(root, "crd.yaml"), crd);
    expect(await refused(root, "create api --from-crd crd.yaml --kstatus")).toContain(
      "--from-crd can't be combined with --kstatus",
    );
  });
});

describe("the list in PROJECT", () => {
  it("loses a kind that is deleted, and keeps the others", async () => {
    const root = await made(game);
    await ok(root, `create api ${kind("v1", "Chess")}`);
    expect(listed(root)).toEqual([entry("v1"), entry("v1", "Chess")]);
    await ok(root, `delete api ${kind("v1")}`);
    expect(listed(root)).toEqual([entry("v1", "Chess")]);
  });

  it("is removed with its last kind, and the tree is as before", async () => {
    const root = await made(project);
    const before = snapshot(root);
    await ok(root, `create api ${kind("v1")}`);
    await ok(root, `delete api ${kind("v1")}`);
    expect(snapshot(root)).toEqual(before);
  });

  it("stays in scaffold edit, which keeps the controllers", async () => {
    const root = await made(game);
    await ok(root, "edit --multigroup");
    expect(listed(root)).toEqual([entry("v1")]);
    expect(read(root, "src/controller/myapp/game-controller.ts")).toContain("setReady");
    const { stdout } = await runCli(root, ["upgrade", "--dry-run"]);
    expect(stdout).not.toContain("game");
  });

  it("must be a list of kinds", async () => {
    const root = await made(game);
    writeFileSync(join(root, "PROJECT"), read(root, "PROJECT").replace(/kstatus:\n.*\n/, "kstatus: true\n"));
    for (const call of [`create api ${kind("v2")}`, "generate crd paths=./api/..."]) {
      const { code, stderr } = await runCli(root, call.split(" "));
      expect({ call, code, stderr }).toEqual({
        call,
        code: 1,
        stderr: expect.stringContaining('plugins."ts.kubewright.io/v1".kstatus must be a list of kinds'),
      });
    }
  });
});
