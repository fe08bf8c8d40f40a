// Follows docs/guides/migrate.md step by step, with a project that kubebuilder scaffolds. Needs Go and its module proxy.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Finished, must, run } from "../../scripts/lib/run.mjs";
import { goProject } from "../../scripts/test-support/kubebuilder.ts";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { checkout, scaffold, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { blocks } from "./moving.ts";

/** Makes npx run the checkout's command line. The packages come from the tests' store. */
const prelude = `npx() { shift; "${process.execPath}" "${scaffoldBin}" "$@" --fetch-deps=false; }\n`;
const bases = "config/crd/bases";
const annotation = /controller-gen\.kubebuilder\.io\/version: .*/;

/** Adds the developers' own markers: at a controller, at a webhook, and in another file. */
function develop(project: string): void {
  const change = (path: string, from: RegExp, to: string) => {
    const text = readFileSync(join(project, path), "utf8");
    expect(text).toMatch(from);
    writeFileSync(join(project, path), text.replace(from, to));
  };
  const jobs = "//+kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch\n";
  change("internal/controller/captain_controller.go", /^(?=\/\/ \+kubebuilder:rbac:)/m, jobs);
  change("internal/controller/sailor_controller.go", /^\/\/ \+kubebuilder:rbac:.*\/finalizers.*\n/m, "");
  change("internal/webhook/v1/captain_webhook.go", /failurePolicy=fail/g, "failurePolicy=ignore,timeoutSeconds=5");
  writeFileSync(
    join(project, "cmd/leases.go"),
    "package main\n\n// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,verbs=get;update,resourceNames=crew\n",
  );
}

describe("the migration of a project in Go", () => {
  const parent = mkdtempSync(join(tmpdir(), "kubewright-migrate-"));
  const [move, manifests] = blocks();
  let theirs = "";
  let ours = "";
  const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");
  const shell = (cwd: string, script: string): Promise<Finished> => must("sh", ["-ec", prelude + script], { cwd });

  beforeAll(async () => {
    theirs = await goProject(parent, "project-v4", develop);
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it("step 2: creates a complete project, and reports parts without a counterpart", async () => {
    const { stdout, stderr } = await shell(theirs, `${move}\npwd`);
    ours = resolve(stdout.trim().split("\n").at(-1) ?? "");
    const notes = stderr
      .trim()
      .split("\n")
      .filter((line) => !line.endsWith("run npm install") && !line.startsWith("not taken over: "));
    expect(notes).toEqual([expect.stringContaining("the role markers of cmd/leases.go are at the end of src/main.ts")]);
    await linkPackages(ours);
    expect(await scaffold(ours, "doctor")).toMatchObject({
      stdout: expect.stringContaining("project project-v4: 10 resources, complete"),
    });
  });

  it("keeps PROJECT except for its layout and the modules of external kinds", () => {
    const [before, after] = [theirs, ours].map((root) => read(root, "PROJECT").split("\n"));
    const other = /^(cliVersion: |- (go|ts)\.ku| {2}(module|path): .*cert-manager)/;
    const rest = (lines: string[] | undefined) => lines?.filter((line) => !other.test(line));
    expect(rest(after)).toEqual(rest(before));
    expect(after).toHaveLength(before?.length ?? 0);
  });

  it("step 4: generates the same manifests except for the name of the generator", async () => {
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

  it("makes no change that users of the API would notice", async () => {
    const { stdout } = await scaffold(ours, "generate", "--check", "--against", theirs);
    expect(stdout).toBe("");
  });

  it("step 5: creates code that passes typecheck and lint", async () => {
    for (const script of ["typecheck", "lint"]) await must("npm", ["run", script], { cwd: ours });
  });

  it("results in the same schemas if types are translated line by line with their markers", async () => {
    const moving = join(parent, "line-by-line");
    const translate = ["run", ".", "translate", "-dir", theirs, "-out", moving];
    const pattern = "sigs.k8s.io/kubebuilder/testdata/project-v4/api/...";
    await must("go", [...translate, pattern], { cwd: join(checkout, "conformance/crd-parity") });
    mkdirSync(join(moving, "node_modules/@kubewright"), { recursive: true });
    symlinkSync(join(checkout, "packages/runtime"), join(moving, "node_modules/@kubewright/runtime"), "junction");
    await scaffold(moving, "generate", "crd", "paths=./api/...", `output:crd:dir=${bases}`);
    for (const file of readdirSync(join(theirs, bases))) {
      const [made, wanted] = [moving, theirs].map((root) => read(root, join(bases, file)).replace(annotation, ""));
      expect(made, file).toBe(wanted);
    }
  });
});
