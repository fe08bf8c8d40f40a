// Runs commands under bad conditions: concurrent commands, a full disk, a read-only tree, and a deleted directory.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Finished, run } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { countAttempts, gameProject, projectOf, Sandbox } from "./sandbox.ts";

let game: Awaited<ReturnType<typeof projectOf>>;
beforeAll(async () => {
  game = await projectOf(gameProject);
});
afterAll(() => game.remove());

const chess = ["create", "api", "--group", "shop", "--version", "v1", "--kind", "Chess"];
const node = process.execPath;

/** Expects that a command failed with one line of error, and at most hints below it. */
function expectOneLine({ code, stderr, stdout }: Finished): void {
  expect(stderr).not.toMatch(/this is a bug|\n\s+at /);
  const [line = "", ...hints] = stderr
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("warning: "));
  expect(line).toMatch(/^error: /);
  for (const hint of hints) expect(hint).toMatch(/^ {2}/);
  expect(stdout).toBe("");
  expect(code).toBe(1);
}

/** Whether this process is allowed to mount file systems. */
const mounts = (() => {
  try {
    execFileSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe("six runs at once in one project", () => {
  it("wait for each other, and all changes are made", async ({ task }) => {
    const sandbox = new Sandbox(game.path);
    const kinds = ["Ape", "Bee", "Cat", "Dog", "Eel", "Fox"];
    const ends = await Promise.all(kinds.map((kind) => sandbox.scaffold([...chess.slice(0, -1), kind])));
    for (const end of ends) expect(end).toMatchObject({ code: 0 });
    const project = readFileSync(join(sandbox.project, "PROJECT"), "utf8");
    const main = readFileSync(join(sandbox.project, "src/main.ts"), "utf8");
    for (const kind of kinds) {
      expect(project).toContain(`kind: ${kind}\n`);
      expect(main).toContain(`${kind}Reconciler`);
      expect(existsSync(join(sandbox.project, `api/v1/${kind.toLowerCase()}-types.ts`))).toBe(true);
    }
    expect(Object.keys(sandbox.tree()).filter((path) => path.includes(".tmp"))).toEqual([]);
    expect((await sandbox.scaffold(["upgrade", "--check"])).code).toBe(0);
    countAttempts(task, kinds.length);
  });
});

describe("a disk that is full", () => {
  /** Runs a command in a copy of the project on a file system with some KiB left. Returns its result and the changes. */
  async function onDiskWith(spare: number, env: Record<string, string> = {}): Promise<Finished & { differs: string }> {
    const sandbox = new Sandbox(game.path);
    const script = `set -e
      mkdir "$BASE/disk" && mount -t tmpfs -o size=64m tmpfs "$BASE/disk"
      cp -a "$BASE/checkout" "$BASE/disk/checkout" && mkdir "$BASE/disk/state" "$BASE/disk/tmp" && chmod 700 "$BASE/disk/state"
      free=$(df -k --output=avail "$BASE/disk" | tail -1)
      dd if=/dev/zero of="$BASE/disk/filler" bs=1024 count=$((free - ${spare})) 2>/dev/null
      cd "$BASE/disk/checkout"
      code=0; "$0" "$@" || code=$?
      diff -r "$BASE/checkout" . > "$BASE/differs" || true
      exit $code`;
    const args = ["-m", "sh", "-c", script, node, scaffoldBin, ...chess];
    const replaced = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value.replace("$BASE", sandbox.base)]),
    );
    const end = await run("unshare", args, {
      cwd: sandbox.base,
      env: { ...sandbox.env, BASE: sandbox.base, ...replaced },
    });
    return { ...end, differs: readFileSync(join(sandbox.base, "differs"), "utf8") };
  }

  it.runIf(mounts).each([0, 4, 16, 48])(
    "with %i KiB left fails the command without changes of the project",
    async (spare) => {
      const { differs, ...end } = await onDiskWith(spare);
      expectOneLine(end);
      expect(end.stderr).toMatch(/nothing was changed: .*no space left/i);
      expect(differs).toBe("");
    },
  );

  it.runIf(mounts)("with enough space left doesn't affect the command", async () => {
    const { code, differs } = await onDiskWith(2000);
    expect(code).toBe(0);
    expect(differs).toContain("Only in ");
  });

  it.runIf(mounts).each(["XDG_STATE_HOME", "TMPDIR"])(
    "under %s either has no effect or causes a one-line error",
    async (name) => {
      const directory = name === "TMPDIR" ? "tmp" : "state";
      const { differs, ...end } = await onDiskWith(0, { [name]: `$BASE/disk/${directory}` });
      if (end.code === 0) return;
      expectOneLine(end);
      expect(differs).toBe("");
    },
  );

  it("simulated by a limit of the file size fails the command without changes of the project", async () => {
    const sandbox = new Sandbox(game.path);
    const before = sandbox.tree();
    for (const bytes of [0, 1, 700, 5000]) {
      const args = [`--fsize=${bytes}`, node, scaffoldBin, ...chess];
      const end = await run("prlimit", args, {
        cwd: sandbox.project,
        env: { ...sandbox.env, NODE_DISABLE_COMPILE_CACHE: "1" },
      });
      expectOneLine(end);
      expect(sandbox.tree()).toEqual(before);
    }
  });
});

describe("a read-only tree", () => {
  it.runIf(mounts)("isn't changed", async () => {
    const sandbox = new Sandbox(game.path);
    const before = sandbox.tree();
    const script = 'mount --bind "$PWD" "$PWD" && mount -o remount,bind,ro "$PWD" && cd "$PWD" && exec "$0" "$@"';
    for (const call of [
      chess,
      ["edit", "--multigroup"],
      ["upgrade"],
      ["generate"],
      ["delete", "api", ...chess.slice(2, 7), "Game"],
    ]) {
      const args = ["-m", "sh", "-c", script, node, scaffoldBin, ...call];
      const end = await run("unshare", args, { cwd: sandbox.project, env: sandbox.env });
      if (end.code !== 0) expectOneLine(end);
      expect(sandbox.tree()).toEqual(before);
    }
  });

  it("isn't changed if its files are read-only", async () => {
    const sandbox = new Sandbox(game.path);
    const before = sandbox.tree();
    execFileSync("chmod", ["-R", "a-w", sandbox.project]);
    try {
      // Without this capability, permissions concern root, too.
      const as = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override"] : ["env"];
      const [command = "", ...rest] = [...as, node, scaffoldBin, ...chess];
      expectOneLine(await run(command, rest, { cwd: sandbox.project, env: sandbox.env }));
    } finally {
      execFileSync("chmod", ["-R", "u+w", sandbox.project]);
    }
    expect(Object.keys(sandbox.tree())).toEqual(Object.keys(before));
  });
});

describe("a working directory that is deleted", () => {
  it.each(["", "--help", "version", "doctor", "generate", "upgrade", chess.join(" "), "init --fetch-deps=false"])(
    "ends scaffold %s with at most two lines",
    async (call) => {
      const sandbox = new Sandbox();
      const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
      const args = ["-c", script, node, scaffoldBin, ...call.split(" ").filter((word) => word !== "")];
      const end = await run("sh", args, { cwd: sandbox.project, env: sandbox.env });
      expect(end.stderr).not.toMatch(/this is a bug|\n\s+at /);
      expect(end.stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
      expect(sandbox.tree()).toEqual({});
    },
  );
});
