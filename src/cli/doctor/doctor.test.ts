import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, initProject } from "../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

/** A directory with programs that answer as the real ones do when all is well. */
function tools(...names: string[]): string {
  const directory = testDirectory();
  for (const name of names) {
    writeFileSync(join(directory, name), `#!${process.execPath}\nconsole.log("${name} v1.2.3");\n`, { mode: 0o755 });
  }
  return directory;
}

async function doctor(root: string, path = tools("npm", "kubectl")): Promise<{ code: number; text: string }> {
  const { code, stdout } = await runCli(root, ["doctor"], { env: { PATH: path } });
  return { code, text: stdout };
}

async function game(): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  return root;
}

describe("scaffold doctor", () => {
  it("finds nothing missing in a whole project, and changes nothing", async () => {
    const root = await game();
    const before = snapshot(root);
    const { code, text } = await doctor(root, tools("npm", "kubectl"));
    expect(text).toContain("✓ project mygame: 1 resource, all parts there");
    expect(text).toContain("✓ kubectl 1.2.3");
    expect(text).toContain("! manifests are not up to date: config/crd/bases/");
    expect(text).toContain("Nothing is missing.");
    expect(code).toBe(0);
    expect(snapshot(root)).toEqual(before);
  });

  it.each(["api/v1/game-types.ts", "api/v1/index.ts", "src/controller/game-controller.ts", "src/main.ts"])(
    "names a file that is gone: %s",
    async (file) => {
      const root = await game();
      rmSync(join(root, file));
      const { code, text } = await doctor(root);
      expect(code).toBe(1);
      expect(text).toContain(`✗ ${file} is missing`);
    },
  );

  it.each([
    ["src/main.ts", "imports"],
    ["src/main.ts", "builder"],
    ["config/crd/kustomization.yaml", "crdkustomizeresource"],
    ["api/v1/index.ts", "types"],
  ])("names an anchor that is gone: %s %s", async (file, anchor) => {
    const root = await game();
    const text = readFileSync(join(root, file), "utf8");
    writeFileSync(join(root, file), text.replace(`+kubebuilder:scaffold:${anchor}`, "nothing"));
    const found = await doctor(root);
    expect(found.code).toBe(1);
    expect(found.text).toContain(`✗ ${file} has no line "+kubebuilder:scaffold:${anchor}" any more`);
  });

  it("shows what an anchor was perhaps misspelt as", async () => {
    const root = await game();
    const main = join(root, "src/main.ts");
    writeFileSync(
      main,
      readFileSync(main, "utf8").replace("+kubebuilder:scaffold:imports", "+kubebuilder:scafold:imports"),
    );
    expect((await doctor(root)).text).toContain("looks like it");
  });

  it("gives its findings as JSON, and those that count as diagnostics", async () => {
    const root = await game();
    rmSync(join(root, "src/main.ts"));
    const { code, stdout } = await runCli(root, ["doctor", "--json"], { env: { PATH: tools("npm", "kubectl") } });
    const { checks, diagnostics } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(checks).toContainEqual(
      expect.objectContaining({ id: "missing-file", status: "missing", file: "src/main.ts" }),
    );
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ id: "missing-file", severity: "error", file: "src/main.ts" }),
    );
  });

  it("names a tool that is gone", async () => {
    const { code, text } = await doctor(await game(), tools("npm"));
    expect(code).toBe(1);
    expect(text).toContain("✗ kubectl is not there");
  });

  it("doesn't take a PROJECT that can't be read for whole", async () => {
    const { code, text } = await doctor(testDirectory({ PROJECT: "a: [" }));
    expect(code).toBe(1);
    expect(text).toContain("✗ PROJECT can't be read");
  });

  it("works outside of a project", async () => {
    const { code, text } = await doctor(testDirectory(), tools("npm", "kubectl"));
    expect(code).toBe(0);
    expect(text).toContain("! project: none in this directory");
  });
});

describe("scaffold run", () => {
  it("needs a project", async () => {
    expect(await runCli(testDirectory(), ["run"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no project"),
    });
  });

  it("says what is missing where the project's tasks are gone", async () => {
    const root = await game();
    rmSync(join(root, "hack/tasks.mjs"));
    expect(await runCli(root, ["run"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("hack/tasks.mjs is missing"),
    });
  });

  it("hands the manager's flags to the project's own task, and its exit code back", async () => {
    const root = await game();
    const write = (code: number) =>
      writeFileSync(
        join(root, "hack/tasks.mjs"),
        `import { writeFileSync } from "node:fs"; writeFileSync("called", JSON.stringify(process.argv.slice(2))); process.exit(${code});`,
      );
    write(0);
    expect(await runCli(root, ["run", "--", "--leader-elect", "--json"])).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(readFileSync(join(root, "called"), "utf8"))).toEqual(["run", "--leader-elect", "--json"]);
    write(3);
    expect(await runCli(root, ["run"])).toMatchObject({ code: 1, stderr: expect.stringContaining("exit code 3") });
  });

  it("only shows what it would do with --dry-run", async () => {
    const root = await game();
    expect(await runCli(root, ["run", "--dry-run"])).toMatchObject({ code: 0, stdout: "node hack/tasks.mjs run\n" });
  });
});
