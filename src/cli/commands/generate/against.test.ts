import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { runCli as runCliWith } from "../../test-support/run-cli.ts";

const runCli = (root: string, argv: readonly string[], path = process.env.PATH ?? "") =>
  runCliWith(root, argv, { env: { PATH: path } });

const thing = (fields: string, name = "Thing") => `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

/** ${name}. */
export interface ${name} extends KubernetesObject {
  ${fields}
}
`;
const crd = "config/crd/bases/example.com_things.yaml";

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Creates a project with generated CRDs. */
async function generated(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "kubewright-against-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  write(root, {
    PROJECT: 'version: "3"\n',
    "api/v1/thing.ts": thing("a?: string;\n  b?: string;"),
    "api/v1/other.ts": thing("a?: string;", "Other"),
  });
  expect(await runCli(root, ["generate"])).toMatchObject({ code: 0 });
  return root;
}

function git(root: string, ...args: string[]): void {
  const identity = ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...identity, ...args], { cwd: root, stdio: "pipe" });
}

async function committed(): Promise<string> {
  const root = await generated();
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "x");
  return root;
}

const check = (root: string, against: string, ...more: string[]) =>
  runCli(root, ["generate", "--check", "--against", against, ...more]);

describe("generate --check --against", () => {
  it("reports incompatible changes since a git revision with CRD, version and field", async () => {
    const root = await committed();
    expect(await check(root, "main")).toEqual({ code: 0, stdout: "", stderr: "" });
    write(root, { "api/v1/thing.ts": thing("a: string;") });
    await runCli(root, ["generate"]);
    const end = await check(root, "HEAD");
    expect(end.code).toBe(1);
    expect(end.stdout).toBe("");
    expect(end.stderr).toBe(
      `${crd}: error: things.example.com v1 .b: was removed [field-removed]\n` +
        `${crd}: error: things.example.com v1 .a: is now required [field-required]\n`,
    );
  });

  fullTest("reports no compatible changes", async () => {
    const root = await committed();
    write(root, { "api/v1/thing.ts": thing("/** A. */\n  a?: string;\n  b?: string;\n  c?: number;") });
    await runCli(root, ["generate"]);
    expect(await check(root, "main")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("compares the current types, and shows outdated files as well", async () => {
    const root = await committed();
    write(root, { "api/v1/thing.ts": thing("a?: string;") });
    const end = await check(root, "main");
    expect(end).toMatchObject({ code: 1, stdout: expect.stringContaining(`--- a/${crd}`) });
    expect(end.stderr).toContain("[field-removed]");
  });

  fullTest("reports a CRD without a kind, whether its file still exists or not", async () => {
    const root = await committed();
    rmSync(join(root, "api/v1/other.ts"));
    const gone = "config/crd/bases/example.com_others.yaml: error: others.example.com: its kind is gone";
    const left = await check(root, "main");
    expect(left).toMatchObject({ code: 1, stderr: expect.stringContaining(gone) });
    expect(left.stderr).toContain("[crd-removed]");
    await runCli(root, ["generate", "--prune"]);
    expect((await check(root, "main")).stderr).toContain("[crd-removed]");
  });

  fullTest("ignores a new CRD and a CRD that wasn't generated", async () => {
    const root = await committed();
    write(root, {
      "api/v1/third.ts": thing("a: string;", "Third"),
      "old/x.yaml": "kind: CustomResourceDefinition\nmetadata: {name: x.y.z}\nspec: {}\n---\nkind: Other\n",
    });
    await runCli(root, ["generate"]);
    expect((await check(root, "main")).code).toBe(0);
    expect((await check(root, "old")).code).toBe(0);
  });

  it("compares with a directory of CRDs or another checkout", async () => {
    const root = await generated();
    cpSync(join(root, "config"), `${root}-old/config`, { recursive: true });
    onTestFinished(() => rmSync(`${root}-old`, { recursive: true, force: true }));
    write(root, { "api/v1/thing.ts": thing("a?: number;\n  b?: string;") });
    await runCli(root, ["generate"]);
    for (const against of [`${root}-old`, `${root}-old/config/crd/bases`]) {
      const end = await check(root, against);
      expect(end).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("v1 .a: was string and is integer [type-changed]"),
      });
    }
  });

  fullTest("works below the top of a repository, and with a revision that has no CRDs", async () => {
    const root = await committed();
    mkdirSync(join(root, "op"));
    for (const name of ["api", "config", "PROJECT"])
      cpSync(join(root, name), join(root, "op", name), { recursive: true });
    git(root, "add", "-A");
    git(root, "commit", "-qm", "y");
    write(join(root, "op"), { "api/v1/thing.ts": thing("a?: string;") });
    expect((await check(join(root, "op"), "HEAD")).stderr).toContain("[field-removed]");
    expect((await check(join(root, "op"), "HEAD~1")).stderr).not.toContain("[field-removed]");
  });

  it("lists the changes among the diagnostics with --json", async () => {
    const root = await committed();
    write(root, { "api/v1/thing.ts": thing("a?: string;") });
    const end = await check(root, "main", "--json");
    expect(end.code).toBe(1);
    const { diagnostics, files } = JSON.parse(end.stdout);
    expect(diagnostics).toEqual([
      {
        id: "field-removed",
        severity: "error",
        message: "things.example.com v1 .b: was removed",
        file: crd,
        line: 0,
        column: 0,
      },
    ]);
    expect(files).toContainEqual({ path: crd, action: "update" });
  });

  it("ignores a class of changes that PROJECT sets to off", async () => {
    const root = await committed();
    const levels = 'version: "3"\nplugins:\n  ts.kubewright.io/v1:\n    diagnostics:\n      field-removed: off\n';
    write(root, { PROJECT: levels, "api/v1/thing.ts": thing("a?: string;") });
    await runCli(root, ["generate"]);
    expect(await check(root, "main")).toMatchObject({ code: 0, stderr: "" });
  });

  it.each<[string, string[], number, string]>([
    ["a call without --check", ["--against", "main"], 2, "--against requires --check"],
    [
      "a call without the crd generator",
      ["rbac:roleName=r", "paths=./...", "--check", "--against", "main"],
      2,
      "--against compares CRD files",
    ],
    ["an unknown revision", ["--check", "--against", "nope"], 1, "--against nope: no such directory or git revision"],
    ["a value that looks like a flag", ["--check", "--against=--output=x"], 2, "looks like a flag"],
    ["a file", ["--check", "--against", "PROJECT"], 1, "--against PROJECT is a file"],
    ["a directory without CRDs", ["--check", "--against", "api"], 1, "--against api contains no CRDs"],
    ["a directory of invalid YAML", ["--check", "--against", "broken"], 1, "can't compare with"],
  ])("rejects in one line: %s", async (_, args, code, message) => {
    const root = await committed();
    write(root, { "broken/x.yaml": "kind: CustomResourceDefinition\n  a: [\n" });
    const end = await runCli(root, ["generate", ...args]);
    expect(end.code).toBe(code);
    expect(end.stderr.split("\n")[0]).toContain(`error: ${message}`.replace("error: looks", "looks"));
  });

  it("reports a missing repository and a missing git", async () => {
    const root = await generated();
    expect((await check(root, "main")).stderr).toContain("and this isn't a git repository");
    const end = await runCli(root, ["generate", "--check", "--against", "main"], join(root, "bin"));
    expect(end.stderr).toContain("--against main is a git revision, but git isn't installed");
  });
});
