// docs/migrate.md, step by step, with a project that kubebuilder has made. Needs Go and its module proxy.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkPackages } from "../lib/packages.ts";
import { type Finished, must, run } from "../lib/process.ts";
import { checkout, scaffold, scaffoldBin } from "../lib/scaffold.ts";
import { goProject } from "./go-project.ts";
import { blocks, moved } from "./moving.ts";

/** npx takes the checkout's command line, and what npm installs comes after the block. */
const prelude = `npx() { shift; "${process.execPath}" "${scaffoldBin}" "$@"; }\nnpm() { :; }\n`;
const bases = "config/crd/bases";
const annotation = /controller-gen\.kubebuilder\.io\/version: .*/;

describe("moving from Go", () => {
  const parent = mkdtempSync(join(tmpdir(), "kubewright-migrate-"));
  const [directory, project, types, manifests] = blocks("sh");
  let theirs = "";
  let ours = "";
  const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");
  const shell = (cwd: string, script: string): Promise<Finished> => must("sh", ["-ec", prelude + script], { cwd });

  beforeAll(async () => {
    theirs = await goProject(parent);
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it("1. a directory with PROJECT", async () => {
    const { stdout } = await shell(theirs, `${directory}\npwd`);
    ours = resolve(stdout.trim());
    writeFileSync(join(ours, "PROJECT"), moved(read(theirs, "PROJECT")));
  });

  it("2. the project", async () => {
    await shell(ours, project ?? "");
    await linkPackages(ours);
    const { stdout } = await scaffold(ours, "doctor");
    expect(stdout).toContain("project project-v4: 10 resources, all parts there");
  });

  it("3. the types", async () => {
    const files = readdirSync(join(theirs, bases));
    const shown = /crew\.testproject\.org_captains\.yaml/;
    expect(types).toMatch(shown);
    expect(files).toContain("crew.testproject.org_captains.yaml");
    for (const file of files) {
      const { stderr } = await shell(ours, types?.replace(shown, file) ?? "");
      expect(stderr).not.toContain("not in the types");
    }
  });

  it("PROJECT is what it was", () => {
    const [before, after] = [moved(read(theirs, "PROJECT")), read(ours, "PROJECT")];
    const version = /^cliVersion: .*$/m;
    expect(after.replace(version, "")).toBe(before.replace(version, ""));
  });

  it("4. the manifests: every byte but the name of the generator", async () => {
    const [make, ...comparisons] = (manifests ?? "").trim().split("\n");
    await shell(ours, make ?? "");
    expect(comparisons).toHaveLength(3);
    const [crds, ...others] = await Promise.all(comparisons.map((line) => run("sh", ["-c", line], { cwd: ours })));
    const changed = crds?.stdout.split("\n").filter((line) => /^[-+](?![-+]{2} )/.test(line)) ?? [];
    expect(changed).toHaveLength(2 * readdirSync(join(theirs, bases)).length);
    for (const line of changed) expect(line).toMatch(annotation);
    for (const { code, stdout } of others) expect([code, stdout]).toEqual([0, ""]);
    expect(readdirSync(join(ours, bases))).toEqual(readdirSync(join(theirs, bases)));
  });

  it("nothing that users of the API would notice", async () => {
    const { stdout } = await scaffold(ours, "generate", "--check", "--against", theirs);
    expect(stdout).toBe("");
  });

  it("5. the code: compiles, and is in order", async () => {
    for (const script of ["typecheck", "lint"]) await must("npm", ["run", script], { cwd: ours });
  });

  it("types moved line by line, with the markers that they have in Go, say the same", async () => {
    const moving = join(parent, "line-by-line");
    const translate = ["run", ".", "translate", "-dir", theirs, "-out", moving];
    const pattern = "sigs.k8s.io/kubebuilder/testdata/project-v4/api/...";
    await must("go", [...translate, pattern], { cwd: join(checkout, "hack/crd-parity") });
    mkdirSync(join(moving, "node_modules/@kubewright"), { recursive: true });
    symlinkSync(join(checkout, "runtime"), join(moving, "node_modules/@kubewright/runtime"), "junction");
    await scaffold(moving, "generate", "crd", "paths=./api/...", `output:crd:dir=${bases}`);
    for (const file of readdirSync(join(theirs, bases))) {
      const [made, wanted] = [moving, theirs].map((root) => read(root, join(bases, file)).replace(annotation, ""));
      expect(made, file).toBe(wanted);
    }
  });
});
