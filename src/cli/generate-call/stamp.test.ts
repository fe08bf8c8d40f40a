import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { matchesStamp, stampName } from "../../generate/cache/stamp.ts";
import { project } from "../../generate/test-support/project.ts";
import { runCli } from "../test-support/run-cli.ts";

const thing = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

/** Thing. */
export interface Thing extends KubernetesObject {
  a?: string;
}
`;
const options = ["crd:headerFile=head.txt", "paths=./...", "output:crd:dir=config/crd/bases"];
const crd = "config/crd/bases/example.com_things.yaml";

/** The files of the test seem older than they are, because a stamp doesn't trust files that have just changed. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));
afterEach(() => void vi.useRealTimers());

const create = () =>
  project({
    PROJECT: 'version: "3"\n',
    "head.txt": "# Head.\n",
    "node_modules/x": "",
    "api/v1/thing.ts": thing,
    "internal/empty/readme.md": "",
    "config/crd/kustomization.yaml": "resources:\n- bases/example.com_things.yaml\n",
  });

async function generated(args: readonly string[] = options): Promise<string> {
  const cwd = create();
  const { code } = await runCli(cwd, ["generate", ...args]);
  expect(code).toBe(0);
  return cwd;
}

const hasStamp = (cwd: string) => existsSync(join(cwd, "node_modules/.cache/kubewright", stampName));

it("a call that printed nothing more than its files leaves a stamp, which the same call matches", async () => {
  const cwd = await generated();
  expect(matchesStamp(options, cwd)).toBe(true);
  expect(await runCli(cwd, ["generate", ...options])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(matchesStamp(options, cwd)).toBe(true);
  expect(matchesStamp([...options, "rbac:roleName=x"], cwd)).toBe(false);
  expect(matchesStamp([], cwd)).toBe(false);
});

describe("a stamp doesn't match after", () => {
  const edit = (path: string, text: string) => (cwd: string) => {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  it.each<[string, (cwd: string) => void]>([
    ["an edit of a type", edit("api/v1/thing.ts", thing.replace("a?:", "b?:"))],
    [
      "an edit to the same size with the times set back",
      (cwd) => {
        const path = join(cwd, "api/v1/thing.ts");
        const { atime, mtime } = statSync(path);
        writeFileSync(path, thing.replace("a?:", "b?:"));
        utimesSync(path, atime, mtime);
      },
    ],
    ["a new file in a package", edit("api/v1/other.ts", "export interface Other {\n  a: string;\n}\n")],
    ["a new package", edit("api/v2/thing.ts", "export interface Other {\n  a: string;\n}\n")],
    ["a new package in a directory without sources", edit("internal/empty/deep/thing.ts", "export const a = 1;\n")],
    ["a first source in a directory", edit("internal/empty/thing.ts", "export const a = 1;\n")],
    ["the removal of a type", (cwd) => rmSync(join(cwd, "api/v1/thing.ts"))],
    ["a new name of a file", (cwd) => renameSync(join(cwd, "api/v1/thing.ts"), join(cwd, "api/v1/a.ts"))],
    ["an edit of the header", edit("head.txt", "# Other.\n")],
    ["an edit of PROJECT", edit("PROJECT", 'version: "3"\ndomain: example.com\n')],
    ["an edit of the output", (cwd) => appendFileSync(join(cwd, crd), "# x\n")],
    ["the removal of the output", (cwd) => rmSync(join(cwd, crd))],
    ["the removal of the directory of the output", (cwd) => rmSync(join(cwd, "config"), { recursive: true })],
    ["another CRD beside the output", edit("config/crd/bases/example.com_others.yaml", "kind: Other\n")],
    ["an edit of the kustomization", edit("config/crd/kustomization.yaml", "resources: []\n")],
    ["the removal of the kustomization", (cwd) => rmSync(join(cwd, "config/crd/kustomization.yaml"))],
  ])("%s", async (_, change) => {
    const cwd = await generated();
    expect(matchesStamp(options, cwd)).toBe(true);
    change(cwd);
    expect(matchesStamp(options, cwd)).toBe(false);
  });

  it("a file was created that the call looked for", async () => {
    const cwd = create();
    rmSync(join(cwd, "PROJECT"));
    rmSync(join(cwd, "config/crd/kustomization.yaml"));
    await runCli(cwd, ["generate", ...options]);
    expect(matchesStamp(options, cwd)).toBe(true);
    writeFileSync(join(cwd, "config/crd/kustomization.yaml"), "resources: []\n");
    expect(matchesStamp(options, cwd)).toBe(false);
    await runCli(cwd, ["generate", ...options]);
    expect(matchesStamp(options, cwd)).toBe(true);
    writeFileSync(join(cwd, "PROJECT"), 'version: "3"\n');
    expect(matchesStamp(options, cwd)).toBe(false);
  });

  it("the project moved", async () => {
    const cwd = await generated();
    renameSync(cwd, `${cwd}-moved`);
    expect(matchesStamp(options, `${cwd}-moved`)).toBe(false);
    rmSync(`${cwd}-moved`, { recursive: true });
  });
});

describe("no stamp is left by", () => {
  it.each<[string, readonly string[]]>([
    ["a call without options, which depends on the Makefile", []],
    ["a call with a flag", [...options, "--json"]],
    ["--check", [...options, "--check"]],
    ["--dry-run", [...options, "--dry-run"]],
    ["output to stdout", ["crd", "paths=./...", "output:stdout"]],
    ["a call with a note", ["object", ...options]],
  ])("%s", async (_, args) => {
    const cwd = create();
    await runCli(cwd, ["generate", ...args]);
    expect(hasStamp(cwd)).toBe(false);
  });

  it("a call with a warning", async () => {
    const cwd = create();
    writeFileSync(join(cwd, "api/v1/thing.ts"), thing.replace("  a?", "  // +optinal\n  a?"));
    const { code, stderr } = await runCli(cwd, ["generate", ...options]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("near-miss-marker")]);
    expect(hasStamp(cwd)).toBe(false);
  });

  it("a call whose input has just changed, because it may have changed after it was read", async () => {
    const cwd = create();
    vi.useRealTimers();
    await runCli(cwd, ["generate", ...options]);
    expect(hasStamp(cwd)).toBe(false);
  });

  it("a failed call, and an older stamp doesn't match then", async () => {
    const cwd = await generated();
    writeFileSync(join(cwd, "api/v1/thing.ts"), "export interface Thing {\n  a: ;\n}\n");
    expect((await runCli(cwd, ["generate", ...options])).code).toBe(1);
    expect(matchesStamp(options, cwd)).toBe(false);
  });
});

it("a stamp that is incomplete isn't used", async () => {
  const cwd = await generated();
  const path = join(cwd, "node_modules/.cache/kubewright", stampName);
  writeFileSync(path, readFileSync(path).subarray(0, 900));
  expect(() => matchesStamp(options, cwd)).toThrow(SyntaxError);
});
