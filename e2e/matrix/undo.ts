// Tests in every combination of the main flags that every call can be repeated, upgraded and undone.
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { attemptScaffold } from "../../scripts/test-support/scaffold.ts";
import { snapshot, testDirectory } from "../../scripts/test-support/tree.ts";
import { type Combination, initialised } from "./combinations.ts";

const definition = fileURLToPath(new URL("testdata/definition.yaml", import.meta.url));

/** Defines the tests of some combinations. */
export function testUndoing(combinations: readonly Combination[]): void {
  describe.each(combinations.map((combination) => [combination.name, combination] as const))("%s", (_, { calls }) => {
    it("can be repeated without effect, needs no upgrade, and can be undone call by call", async () => {
      const parent = testDirectory();
      const root = join(parent, "p");
      mkdirSync(root);
      cpSync(definition, join(parent, "definition.yaml"));
      const before: ReturnType<typeof snapshot>[] = [];
      for (const [index, call] of calls.entries()) {
        before.push(snapshot(root));
        const argv = index === 0 ? initialised(call, "p") : call.split(" ");
        expect(await attemptScaffold(root, ...argv), call).toMatchObject({ code: 0 });
        const created = snapshot(root);
        const again = await attemptScaffold(root, ...argv);
        const rejected =
          again.code === 1 && /^error: .*(already|no kind|has no|same as for the controller)/m.test(again.stderr);
        const nothing = again.code === 0 && /already/.test(again.stdout);
        expect(rejected || nothing, `${call}: ${again.code} ${again.stdout}${again.stderr}`).toBe(true);
        expect(snapshot(root), `${call} again`).toEqual(created);
      }
      expect.soft(await attemptScaffold(root, "upgrade", "--check")).toMatchObject({ code: 0, stdout: "" });
      for (const [index, call] of [...calls.entries()].reverse()) {
        const undo = undoing(call);
        if (undo === undefined) break;
        const { code, stderr } = await attemptScaffold(root, ...undo);
        expect(code, `${call}: ${stderr}`).toBe(0);
        expect(stderr).not.toMatch(/stay|kept|error|warning/);
        expect(snapshot(root), `${call} undone`).toEqual(before[index]);
      }
    });
  });
}

/** Returns the call that undoes another; undefined if there is none. */
function undoing(call: string): string[] | undefined {
  const [verb, what, ...flags] = call.split(" ");
  if (verb !== "create") return undefined;
  if (call.includes("--from-crd")) return "delete api --group stable.example.org --version v1 --kind Backup".split(" ");
  if (call.includes("--controller-name")) return undefined;
  const names = flags.slice(0, 6);
  const types = flags.filter((flag) => /^--(defaulting|programmatic-validation|conversion)$/.test(flag));
  return ["delete", what ?? "", ...names, ...types];
}
