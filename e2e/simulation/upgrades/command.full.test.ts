import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must } from "../../../scripts/lib/run.mjs";
import { expectOutput } from "../../../scripts/test-support/output-schema.ts";
import { attemptScaffold, checkout } from "../../../scripts/test-support/scaffold.ts";
import { project } from "../simulate.ts";

/** A repository whose first revision has a ConfigMap with another name. */
let root = "";
const git = (...parameters: string[]): Promise<unknown> =>
  must("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...parameters], { cwd: root });

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "upgrade-"));
  symlinkSync(join(checkout, "node_modules"), join(root, "node_modules"));
  cpSync(project("upgrade-old"), root, { recursive: true });
  await git("init", "--quiet");
  await git("add", "package.json", "src");
  await git("commit", "--quiet", "--message", "Old");
  await git("tag", "v1.0.0");
  cpSync(project("upgrade-new"), root, { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const simulate = (...flags: string[]) => attemptScaffold(root, "simulate", "--seeds", "3", ...flags);

describe("scaffold simulate --from", () => {
  it("compares with a revision, and leaves the repository unchanged", async () => {
    const { code, stdout } = await simulate("--from", "v1.0.0", "--json");
    expect(code).toBe(1);
    const report = JSON.parse(stdout);
    expectOutput("simulate", report);
    expect(report.from).toEqual([
      { name: "v1.0.0", kind: "revision", commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ]);
    expect(report.findings).toMatchObject([
      {
        invariant: "an upgrade leaves nothing behind",
        seed: 0,
        upgrade: { from: ["v1.0.0"], variations: ["replace"], point: 1 },
        replay: "npx scaffold simulate --seed 0 --from v1.0.0",
      },
    ]);
    const actors = new Set(report.findings[0].timeline.map(({ actor }: { actor: string }) => actor));
    expect([...actors]).toEqual(expect.arrayContaining(["v1.0.0-1", "new-1"]));
    expect(report.changes).toContainEqual({
      ...{ file: "src/shop.simulation.ts", test: "keeps a ConfigMap", from: "v1.0.0" },
      ...{ kind: "ConfigMap", namespace: "default", name: "a-settings", action: "created" },
      ...{ path: "", before: null, after: null, allowed: null },
    });
    await must("git", ["diff", "--cached", "--quiet"], { cwd: root });
  });

  it("compares with a directory, and begins with the changes", async () => {
    const { code, stdout } = await simulate("--from", project("upgrade-old"));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^This upgrade changes:\n {2}from upgrade-old: ConfigMap default\/a-settings created\n/);
    expect(stdout).toContain("upgrade: from upgrade-old at world.settled() number 1: replace");
  });

  it("reports a revision that doesn't exist with a hint, and exits with 2", async () => {
    const { code, stderr } = await simulate("--from", "v9.9.9");
    expect(code).toBe(2);
    expect(stderr).toContain("--from v9.9.9: no directory and no revision of this repository has this name");
    expect(stderr).toContain("fetch-depth: 0");
  });

  it("rejects unknown variations, and CRDs without a version", async () => {
    const unknown = await simulate("--from", "v1.0.0", "--upgrades", "replce");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('did you mean "replace"?');
    expect((await simulate("--from-crds", "crds")).code).toBe(2);
  });
});
