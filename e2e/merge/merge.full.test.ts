import { appendFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { attemptScaffold, scaffold } from "../../scripts/test-support/scaffold.ts";

const parent = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-merge-")));
const [root, other] = [join(parent, "op"), join(parent, "other")];
const archive = ".kubewright/pristine.txtar";
const kinds = ["Game", "Board", "Chess"] as const;

const git = (...args: string[]) =>
  must("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: root });
const read = (path: string, from = root) => readFileSync(join(from, path), "utf8");
const createApi = (cwd: string, kind: string) =>
  scaffold(cwd, "create", "api", "--group", "shop", "--version", "v1", "--kind", kind);
const init = async (cwd: string) => {
  await must("mkdir", [cwd], { cwd: parent });
  await scaffold(cwd, "init", "--domain", "example.com", "--project-name", "op", "--fetch-deps=false");
};

/** Keeps the lines of both sides of all conflicts. */
function keepBoth(path: string): void {
  writeFileSync(join(root, path), read(path).replace(/^(?:<<<<<<<|=======|>>>>>>>).*\n/gm, ""));
}

/** Keeps our PROJECT with the entry and the line of the kind that the other branch added. */
async function mergeProject(kind: string): Promise<void> {
  const [ours, theirs] = [(await git("show", ":2:PROJECT")).stdout, (await git("show", ":3:PROJECT")).stdout];
  const [entry = ""] =
    theirs.match(new RegExp(`^- api:\\n(?: {2}.*\\n)*? {2}kind: ${kind}\\n(?: {2}.*\\n)*`, "m")) ?? [];
  const [line = ""] = theirs.match(new RegExp(`^ +- .*/${kind}\\n`, "m")) ?? [];
  writeFileSync(
    join(root, "PROJECT"),
    ours.replace(/^version: /m, `${entry}$&`).replace(/^ +kstatus:\n/m, `$&${line}`),
  );
}

describe("two branches that each ran create api", () => {
  let conflicts: string[] = [];

  beforeAll(async () => {
    await init(root);
    await createApi(root, kinds[0]);
    await must("git", ["init", "-q", "-b", "main"], { cwd: root });
    await git("add", "-A");
    await git("commit", "-qm", "Start");
    await git("checkout", "-qb", "one");
    await createApi(root, kinds[1]);
    await git("add", "-A");
    await git("commit", "-qm", "Add Board");
    await git("checkout", "-q", "main");
    await createApi(root, kinds[2]);
    appendFileSync(join(root, "src/controller/game-controller.ts"), "// mine\n");
    await git("add", "-A");
    await git("commit", "-qm", "Add Chess");
    await run("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", "merge", "-q", "one"], { cwd: root });
    const { stdout } = await git("diff", "--name-only", "--diff-filter=U");
    conflicts = stdout.trim().split("\n");
    for (const path of conflicts) path === "PROJECT" ? await mergeProject("Board") : keepBoth(path);
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it("have conflicts only in files in which git can't keep the lines of both", () => {
    expect(conflicts.sort()).toEqual(["PROJECT", "src/main.ts"]);
    for (const path of ["api/v1/index.ts", "config/crd/kustomization.yaml", "config/samples/kustomization.yaml"]) {
      for (const kind of kinds) expect(read(path)).toContain(kind.toLowerCase());
    }
    expect(read("config/rbac/kustomization.yaml").match(/^- (game|board|chess)_\w+_role\.yaml$/gm)).toHaveLength(9);
  });

  it("have the same archive after upgrade --rebase as a project in which both calls ran", async () => {
    await init(other);
    const merged = [...read("PROJECT").matchAll(/^ {2}kind: (\w+)$/gm)].map(([, kind = ""]) => kind);
    expect([...merged].sort()).toEqual([...kinds].sort());
    for (const kind of merged) await createApi(other, kind);
    const before = await git("status", "--porcelain", "--untracked-files=all");
    const done = await scaffold(root, "upgrade", "--rebase", "--json");
    expect(JSON.parse(done.stdout).operations).toEqual([{ op: "update", path: archive }]);
    expect(read(archive)).toBe(read(archive, other));
    expect((await git("status", "--porcelain", "--untracked-files=all")).stdout.replace(/^.*txtar\n/m, "")).toBe(
      before.stdout.replace(/^.*txtar\n/m, ""),
    );
  });

  it("then need no upgrade or rebuild, and keep the user's edits", async () => {
    expect(await attemptScaffold(root, "upgrade", "--check")).toMatchObject({ code: 0 });
    expect(await attemptScaffold(root, "upgrade", "--rebase", "--check")).toMatchObject({ code: 0 });
    expect(read("src/controller/game-controller.ts")).toMatch(/\/\/ mine\n$/);
  });

  it("must rebuild an archive that contains a file twice before other commands use it", async () => {
    const whole = read(archive);
    appendFileSync(join(root, archive), "-- src/main.ts --\nother\n");
    const refused = await attemptScaffold(
      root,
      "create",
      "api",
      "--group",
      "shop",
      "--version",
      "v1",
      "--kind",
      "Move",
    );
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /^error: \.kubewright\/pristine\.txtar can't be read: it is the result of a merge, and contains src\/main\.ts twice\n.*npx scaffold upgrade --rebase/,
    );
    await scaffold(root, "upgrade", "--rebase");
    expect(read(archive)).toBe(whole);
  });
});
