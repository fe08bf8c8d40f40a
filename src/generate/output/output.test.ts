import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OutputRule } from "../options/index.ts";
import { project } from "../test-support/project.ts";
import { applyPlan } from "./apply.ts";
import { unifiedDiff } from "./diff.ts";
import { renderFile } from "./file.ts";
import { planPrune, planWrites } from "./plan.ts";

const rules = (rule: OutputRule) => ({ crd: rule });
const file = (name: string, text: string) => ({ generator: "crd" as const, name, text });

describe("renderFile", () => {
  it("writes the header and then three dashes before each document", () => {
    expect(renderFile("crd", "a.yaml", [{ b: 1 }, { c: 2 }], "# h\n")).toEqual({
      file: { generator: "crd", name: "a.yaml", text: "# h\n---\nb: 1\n---\nc: 2\n" },
    });
  });

  it("reports values that YAML can't contain", () => {
    expect(renderFile("crd", "a.yaml", [{ b: "\u007f" }])).toEqual({ problem: expect.stringContaining("a.yaml: ") });
  });
});

describe("planWrites and applyPlan", () => {
  it("distinguish new, changed and unchanged files, and write only what changed", () => {
    const cwd = project({ "out/same.yaml": "a\n", "out/other.yaml": "b\n" });
    const files = [file("same.yaml", "a\n"), file("other.yaml", "c\n"), file("new.yaml", "d\n")];
    const { writes, stdout } = planWrites(files, rules({ kind: "dir", directory: "out" }), cwd);
    expect(stdout).toBe("");
    expect(writes.map(({ path, action }) => [path, action])).toEqual([
      [join(cwd, "out/new.yaml"), "create"],
      [join(cwd, "out/other.yaml"), "update"],
      [join(cwd, "out/same.yaml"), "unchanged"],
    ]);
    applyPlan(writes);
    expect(readdirSync(join(cwd, "out")).sort()).toEqual(["new.yaml", "other.yaml", "same.yaml"]);
    expect(readFileSync(join(cwd, "out/other.yaml"), "utf8")).toBe("c\n");
  });

  it("writes nothing for stdout and none", () => {
    const cwd = project({});
    expect(planWrites([file("a.yaml", "a\n")], rules({ kind: "stdout" }), cwd)).toMatchObject({
      writes: [],
      stdout: "a\n",
    });
    expect(planWrites([file("a.yaml", "a\n")], rules({ kind: "none" }), cwd)).toMatchObject({ writes: [], stdout: "" });
  });

  it.each<readonly [what: string, prepare: (cwd: string) => void, problem: string]>([
    ["a link that leaves the project", (cwd) => symlinkSync("/tmp", join(cwd, "out")), "out is a link that leaves"],
    ["a link to nothing", (cwd) => symlinkSync("nowhere", join(cwd, "out")), "out is a dangling link (to nowhere)"],
    [
      "a file at the path of a directory",
      (cwd) => writeFileSync(join(cwd, "out"), ""),
      "out is a file, but must be a directory",
    ],
    [
      "a directory at the path of a file",
      (cwd) => mkdirSync(join(cwd, "out/a.yaml"), { recursive: true }),
      "out/a.yaml exists",
    ],
  ])("reject %s", (_, prepare, problem) => {
    const cwd = project({});
    prepare(cwd);
    const plan = planWrites([file("a.yaml", "a\n")], rules({ kind: "dir", directory: "out" }), cwd);
    expect(plan.writes).toEqual([]);
    expect(plan.problems).toEqual([expect.stringContaining(`a.yaml can't be written: ${problem}`)]);
  });

  it("follow a link inside the project, and write outside of it if configured", () => {
    const cwd = project({ "real/.keep": "", "sub/.keep": "" });
    symlinkSync("real", join(cwd, "out"));
    const plan = (directory: string, from = cwd) =>
      planWrites([file("a.yaml", "a\n")], rules({ kind: "dir", directory }), from);
    expect(plan("out").problems).toEqual([]);
    expect(plan("../real", join(cwd, "sub")).problems).toEqual([]);
  });

  it("keep a link to a file and the file's permissions", () => {
    const cwd = project({ "real/role.yaml": "old\n", "out/.keep": "" });
    symlinkSync("../real/role.yaml", join(cwd, "out/role.yaml"));
    chmodSync(join(cwd, "real/role.yaml"), 0o600);
    const { writes } = planWrites([file("role.yaml", "new\n")], rules({ kind: "dir", directory: "out" }), cwd);
    applyPlan(writes);
    expect(lstatSync(join(cwd, "out/role.yaml")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, "real/role.yaml"), "utf8")).toBe("new\n");
    expect(statSync(join(cwd, "real/role.yaml")).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(cwd, "real"))).toEqual(["role.yaml"]);
  });

  it.each(["/proc/kubewright", "/proc/kubewright/deeper"])(
    "fail for a directory that can't be created: %s",
    (directory) => {
      const { writes, problems } = planWrites([file("a.yaml", "a\n")], rules({ kind: "dir", directory }), project({}));
      expect(problems).toEqual([]);
      expect(() => applyPlan(writes)).toThrow(/^can't create the directory \/proc/);
    },
  );

  it("create directories, and remove them after a failure", () => {
    const cwd = project({ "out/a.yaml": "old\n" });
    const files = [file("b/c/d.yaml", "new\n"), file("z.yaml", "z\n")];
    const { writes } = planWrites(files, rules({ kind: "dir", directory: "out" }), cwd);
    mkdirSync(join(cwd, "out/z.yaml/in-the-way"), { recursive: true });
    expect(() => applyPlan(writes)).toThrow(/^can't write .*z\.yaml \(\w+\)$/);
    expect(readdirSync(join(cwd, "out")).sort()).toEqual(["a.yaml", "z.yaml"]);
    rmSync(join(cwd, "out/z.yaml"), { recursive: true });
    applyPlan(writes);
    expect(readFileSync(join(cwd, "out/b/c/d.yaml"), "utf8")).toBe("new\n");
  });

  it("restore all files if a write fails", () => {
    const cwd = project({ "out/a.yaml": "old\n" });
    const plan = planWrites(
      [file("a.yaml", "new\n"), file("b.yaml", "b\n"), file("z.yaml", "z\n")],
      rules({ kind: "dir", directory: "out" }),
      cwd,
    );
    mkdirSync(join(cwd, "out/z.yaml/in-the-way"), { recursive: true });
    expect(() => applyPlan(plan.writes)).toThrow();
    expect(readFileSync(join(cwd, "out/a.yaml"), "utf8")).toBe("old\n");
    expect(readdirSync(join(cwd, "out")).sort()).toEqual(["a.yaml", "z.yaml"]);
  });

  it("remove CRDs that the generator created earlier and no longer creates, and no other files", () => {
    const crd =
      "kind: CustomResourceDefinition\nmetadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v1\n";
    const cwd = project({
      "config/crd/g_olds.yaml": crd,
      "config/crd/g_news.yaml": crd,
      "config/crd/kustomization.yaml": crd,
      "config/crd/g_mine.yaml": "kind: CustomResourceDefinition\n",
    });
    const pruned = planPrune([file("g_news.yaml", crd)], rules({ kind: "artifacts", config: "config/crd" }), cwd);
    expect(pruned.map(({ path, action }) => [path, action])).toEqual([[join(cwd, "config/crd/g_olds.yaml"), "delete"]]);
    applyPlan(pruned);
    expect(readdirSync(join(cwd, "config/crd")).sort()).toEqual(["g_mine.yaml", "g_news.yaml", "kustomization.yaml"]);
  });
});

it("unifiedDiff shows changes as a unified diff", () => {
  const cwd = project({});
  writeFileSync(join(cwd, "a.yaml"), "a\nb\n");
  const plan = planWrites(
    [file("a.yaml", "a\nc\n"), file("b.yaml", "n\n")],
    rules({ kind: "dir", directory: "." }),
    cwd,
  );
  expect(unifiedDiff(plan.writes, (path) => path.slice(cwd.length + 1))).toBe(
    "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n--- /dev/null\n+++ b/b.yaml\n@@ -0,0 +1,1 @@\n+n\n",
  );
});
