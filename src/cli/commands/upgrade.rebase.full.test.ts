import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pristinePath } from "../../scaffold/pristine/pristine.ts";
import { compressCopies } from "../../scaffold/test-support/compressed.ts";
import { madeOnce, snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { checkProject } from "../doctor/project.ts";
import { runCli } from "../test-support/run-cli.ts";

const testdata = join(import.meta.dirname, "../../../testdata/from-crd");
const project = madeOnce(async (root) => {
  await scaffold(root, "init --domain example.com --repo shop --project-name shop --fetch-deps=false");
  await scaffold(root, "create api --group shop --version v1 --kind Order");
});

async function scaffold(root: string, command: string) {
  const end = await runCli(root, command.split(" "));
  if (end.code !== 0) throw new Error(`scaffold ${command}: ${end.stderr}`);
  return end;
}

const identity = [
  "-c",
  "user.name=a",
  "-c",
  "user.email=a@example.com",
  "-c",
  "commit.gpgsign=false",
  "-c",
  "merge.conflictStyle=diff3",
];

function git(root: string, ...args: string[]): string {
  return execFileSync("git", [...identity, ...args], { cwd: root, encoding: "utf8", stdio: "pipe" });
}

const read = (root: string, path: string) => readFileSync(join(root, path), "utf8");
const userFiles = (root: string) =>
  Object.entries(snapshot(root)).filter(([path]) => !path.startsWith(".git/") && !path.startsWith(".kubewright"));

/** Keeps the lines of both sides of each conflict, those of the first branch first. */
const bothSides = (text: string) =>
  text.replace(/^\|{7} .*\n(?:.*\n)*?(?=={7}$)/gm, "").replace(/^(<<<<<<<|=======|>>>>>>>).*\n/gm, "");

interface Merge {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
  /** Edits that are committed before the branches are created. */
  readonly prepare?: (root: string) => unknown;
  /** The resolution of the conflicts in the archive. */
  readonly archive?: "union" | "ours" | "theirs" | "markers";
}

/** Runs commands in two branches and merges them. Returns the paths with conflicts. */
async function merged(root: string, { ours, theirs, prepare, archive = "union" }: Merge): Promise<string[]> {
  await project(root);
  await prepare?.(root);
  git(root, "init", "-q", "-b", "ours");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "base");
  git(root, "checkout", "-qb", "theirs");
  for (const [branch, commands] of [
    ["theirs", theirs],
    ["ours", ours],
  ] as const) {
    git(root, "checkout", "-q", branch);
    for (const command of commands) await scaffold(root, command);
    git(root, "add", "-A");
    git(root, "commit", "-qm", branch);
  }
  if (archive === "markers") writeFileSync(join(root, ".git/info/attributes"), `${pristinePath} merge=text\n`);
  try {
    git(root, "merge", "-q", "theirs");
  } catch {
    // There are conflicts.
  }
  const conflicts = git(root, "diff", "--name-only", "--diff-filter=U").split("\n").filter(Boolean);
  if (archive === "ours" || archive === "theirs") git(root, "checkout", archive, "--", pristinePath);
  for (const path of conflicts.filter((conflict) => conflict !== pristinePath)) {
    writeFileSync(join(root, path), bothSides(read(root, path)));
  }
  return conflicts;
}

const create = (kind: string) => `create api --group shop --version v1 --kind ${kind}`;

describe("upgrade --rebase, after a merge of two branches that each created an API", () => {
  it.each<[Merge["archive"]]>([["markers"], ["union"], ["ours"], ["theirs"]])(
    "rebuilds the archive as if one branch had created both (archive: %s)",
    async (archive) => {
      const [root, expected] = [testDirectory(), testDirectory()];
      const conflicts = await merged(root, { ours: [create("Customer")], theirs: [create("Invoice")], archive });
      expect(conflicts.includes(pristinePath)).toBe(archive === "markers");
      await project(expected);
      for (const kind of ["Customer", "Invoice"]) await scaffold(expected, create(kind));
      appendFileSync(join(root, "src/main.ts"), "// mine\n");
      rmSync(join(root, "Dockerfile"));
      const before = userFiles(root);

      if (archive === "union" || archive === "markers") {
        for (const command of ["upgrade", create("Refund"), "delete api --group shop --version v1 --kind Order"]) {
          const end = await runCli(root, command.split(" "));
          expect(end.stderr, command).toMatch(/^error: \.kubewright\/pristine\.txtar can't be read: /);
          expect(end.stderr, command).toContain("npx scaffold upgrade --rebase");
          expect(end.code, command).toBe(1);
        }
      }
      expect((await scaffold(root, "upgrade --rebase --dry-run")).stdout).toBe(`update ${pristinePath}\n`);
      expect((await runCli(root, ["upgrade", "--rebase", "--check"])).code).toBe(1);
      const end = await scaffold(root, "upgrade --rebase");
      expect(end.stderr).toBe("");
      expect(end.stdout).toBe("Rebuilt the copies in .kubewright. Next: commit them\n");
      expect(read(root, pristinePath)).toBe(read(expected, pristinePath));
      expect(userFiles(root)).toEqual(before);

      expect(await runCli(root, ["upgrade", "--check"])).toMatchObject({ code: 0, stdout: "" });
      expect((await scaffold(root, "upgrade --rebase")).stdout).toContain("up to date");
      expect(userFiles(root)).toEqual(before);
      await scaffold(root, "delete api --group shop --version v1 --kind Invoice");
      expect(Object.keys(snapshot(root)).filter((path) => path.includes("invoice"))).toEqual([]);
    },
  );

  it("reports that the archive is the result of a merge", async () => {
    const root = testDirectory();
    await merged(root, { ours: [create("Customer")], theirs: [create("Invoice")] });
    const { stderr } = await runCli(root, ["upgrade"]);
    expect(stderr).toMatch(
      /^error: \.kubewright\/pristine\.txtar can't be read: it is the result of a merge, and contains two digests of \S+\n/,
    );
    const { checks } = await checkProject(root);
    expect(checks).toContainEqual({
      id: "damaged-archive",
      status: "missing",
      file: pristinePath,
      message: expect.stringContaining("it is the result of a merge"),
      hint: expect.stringContaining("npx scaffold upgrade --rebase"),
    });
  });

  it("keeps files that were generated from a CRD, even if the user has changed them", async () => {
    const root = testDirectory();
    await merged(root, {
      prepare: async () => {
        await scaffold(root, "edit --multigroup");
        await scaffold(root, `create api --from-crd ${join(testdata, "everything.yaml")} --version v1`);
      },
      ours: [create("Customer")],
      theirs: [create("Invoice")],
    });
    const [path = ""] = Object.keys(snapshot(root)).filter((key) => key.endsWith("widget-types.ts"));
    expect(path).not.toBe("");
    appendFileSync(join(root, path), "// mine\n");
    expect((await scaffold(root, "upgrade --rebase")).stderr).toBe("");
    expect(read(root, pristinePath)).toContain(`-- ${path} --\n`);
    expect(read(root, pristinePath)).not.toContain("// mine");
    expect(await runCli(root, ["upgrade", "--check"])).toMatchObject({ code: 0 });
    await scaffold(root, "delete api --group tools.example.org --version v1 --kind Widget");
    expect(read(root, path)).toContain("// mine");
  });

  it("doesn't archive a README that existed before the project", async () => {
    const root = testDirectory({ "README.md": "mine\n" });
    await scaffold(root, "init --domain example.com --repo shop --project-name shop --fetch-deps=false");
    await scaffold(root, create("Order"));
    const before = read(root, pristinePath);
    expect(before).not.toContain("-- README.md --");
    expect((await scaffold(root, "upgrade --rebase")).stdout).toContain("up to date");
    expect(read(root, pristinePath)).toBe(before);
  });

  it("creates a missing archive", async () => {
    const root = testDirectory();
    await project(root);
    const before = read(root, pristinePath);
    rmSync(join(root, pristinePath));
    await scaffold(root, "upgrade --rebase");
    expect(read(root, pristinePath)).toBe(before);
  });

  it("replaces compressed copies of earlier versions", async () => {
    const root = testDirectory();
    await project(root);
    const before = snapshot(root);
    compressCopies(root);
    await scaffold(root, "upgrade --rebase");
    expect(snapshot(root)).toEqual(before);
  });
});
