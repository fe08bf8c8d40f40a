// Checks a second run over unchanged types, which must not load parsers and tables. bench/start-up.ts measures its time.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { checkout, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { variants } from "../../scripts/test-support/thorough.ts";
import { loadedModules, loadedPackages } from "../lib/loaded-packages.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-unchanged-"));
const project = join(scratch, "game");
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

beforeAll(() => {
  for (const part of ["examples/game", "bench/testdata/game-ts"]) {
    cpSync(join(checkout, part), project, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  }
  mkdirSync(join(project, "node_modules"), { recursive: true });
  writeFileSync(join(project, "PROJECT"), 'version: "3"\n');
});

const forget = () => rmSync(join(project, "node_modules/.cache"), { recursive: true, force: true });

describe("a run of generate with unchanged types", () => {
  it.each(variants<[string[]]>([[[]], [["--check"]], [["--json"]], [["--reader", "ts-morph"]]], 1))(
    "with %j loads no parser and no tables",
    async (flags) => {
      const parsers = async () => {
        const loaded = await loadedPackages(scratch, project, ["generate", ...flags]);
        return loaded.filter((name) => /^@?ts-morph/.test(name)).length;
      };
      forget();
      await must(process.execPath, [scaffoldBin, "generate"], { cwd: project });
      forget();
      expect(await parsers()).toBeGreaterThan(0);
      expect(await parsers()).toBe(0);
    },
  );

  fullTest("with options loads only the comparison with the last run", async () => {
    const args = ["generate", "crd", "paths=./...", "output:crd:dir=config/crd/bases"];
    const commands = async () => {
      const loaded = await loadedModules(scratch, project, args);
      expect(loaded).toContain("src/cli/unchanged.ts");
      return loaded.filter((path) => /^src\/(cli\/commands|cli\/framework|generate\/options)\//.test(path));
    };
    forget();
    expect(await commands()).not.toEqual([]);
    // The next runs also check each file, as long as the files are new.
    await expect.poll(commands, { timeout: 60_000 }).toEqual([]);
    writeFileSync(join(project, "PROJECT"), 'version: "3"\ndomain: example.com\n');
    expect(await commands()).not.toEqual([]);
  });
});
