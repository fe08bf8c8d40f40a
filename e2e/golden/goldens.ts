// Type-checks, lints and tests the golden projects without changes.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { attemptScaffold, checkout, manifestsOptions } from "../../scripts/test-support/scaffold.ts";
import { sample, variants } from "../../scripts/test-support/thorough.ts";
import { goldens, install } from "../lib/golden.ts";

export const goldenNames = readdirSync(goldens);

/**
 * Defines the tests of all golden projects.
 *
 * @param tested - the projects whose own tests run, which takes most of the time
 */
export function testGoldens(tested: readonly string[]): void {
  describe.each(sample(goldenNames, 2))("%s", (name) => {
    let root = "";
    const tool = (path: string, ...args: string[]) =>
      run(process.execPath, [join(checkout, "node_modules", path), ...args], {
        cwd: root,
        env: { KUBEBUILDER_ASSETS: undefined, HOME: root, NO_COLOR: "1" },
      });

    beforeAll(() => {
      root = mkdtempSync(join(tmpdir(), `kubewright-${name}-`));
      cpSync(join(goldens, name), root, { recursive: true });
      install(root);
    });
    afterAll(() => rmSync(root, { recursive: true, force: true }));

    it("type-checks", async () => {
      expect(await tool("typescript-native/bin/tsc", "--noEmit")).toMatchObject({ code: 0, stdout: "" });
    });

    it("is formatted and passes lint", async () => {
      expect(await tool("@biomejs/biome/bin/biome", "check", "--vcs-enabled=false", ".")).toMatchObject({ code: 0 });
    });

    // The runtime defines the flags, so they are the same in each project.
    if (name === "game") {
      it.each(variants(["--help", "-h"], 1))("prints its flags and their defaults with %s", async (flag) => {
        const end = await tool("tsx/dist/cli.mjs", "src/main.ts", flag);
        expect(end).toMatchObject({ code: 0, stderr: "" });
        expect(end.stdout).toMatch(
          /^ {2}--health-probe-bind-address string +Address of the health probes.*\(default: :8081\)$/m,
        );
        expect(end.stdout).toMatch(/^ {2}--zap-log-level string +Lowest level to log: /m);
      });

      fullTest("rejects a boolean flag with another value", async () => {
        const kubeconfig = join(root, "kubeconfig");
        const cluster = { clusters: [{ name: "a", cluster: { server: "http://127.0.0.1:1" } }], users: [] };
        const contexts = [{ name: "a", context: { cluster: "a" } }];
        writeFileSync(kubeconfig, JSON.stringify({ ...cluster, contexts, "current-context": "a" }));
        const main = ["src/main.ts", "--kubeconfig", kubeconfig, "--health-probe-bind-address=127.0.0.1:0"];
        const end = await tool("tsx/dist/cli.mjs", ...main, "--leader-elect=maybe");
        expect(end.code).toBe(1);
        expect(`${end.stdout}${end.stderr}`).toContain(
          '--leader-elect: invalid value "maybe": it must be true or false',
        );
      });
    }

    if (!tested.includes(name)) return;
    it("passes its own tests", async () => {
      expect(await attemptScaffold(root, "generate", ...manifestsOptions)).toMatchObject({ code: 0 });
      const { code, stdout, stderr } = await tool("vitest/vitest.mjs", "run");
      expect(code, stdout + stderr).toBe(0);
    });

    it("has the permissions that its code needs", async () => {
      const { code, stdout, stderr } = await attemptScaffold(
        root,
        "generate",
        "rbac:roleName=r,verify=true",
        "paths=./...",
      );
      expect({ code, output: stdout + stderr }).toEqual({
        code: 0,
        output: expect.not.stringMatching(/rbac-(missing|unknown)/),
      });
    });

    it("passes its simulations", async () => {
      expect(await attemptScaffold(root, "generate", ...manifestsOptions)).toMatchObject({ code: 0 });
      const { code, stdout, stderr } = await attemptScaffold(root, "simulate", "--seeds", "10");
      expect({ code, output: stdout + stderr }).toEqual({
        code: 0,
        output: expect.stringMatching(/findings {3}0(?!\nnote .*(still fails|writes nothing))/),
      });
    });
  });
}
