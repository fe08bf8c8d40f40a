// Tests how `scaffold dev` starts with wrong input, and how it ends after its parent or its terminal has ended.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Dev, gameProject, type Line, processesWith } from "./dev-session.ts";
import { send } from "./requests.ts";

const controller = "src/controller/game-controller.ts";
let root: string;
beforeAll(async () => {
  root = await gameProject();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const failed = async (env: Record<string, string>, ...args: string[]) =>
  (await run(process.execPath, [scaffoldBin, "dev", ...args], { cwd: root, env: { ...process.env, CI: "", ...env } }))
    .stderr;

/** Writes a kubeconfig whose only context has a server. */
function kubeconfig(server: string): { KUBECONFIG: string } {
  const path = join(root, "cluster.kubeconfig");
  const config = {
    clusters: [{ name: "c", cluster: { server } }],
    users: [{ name: "u", user: { token: "x" } }],
    contexts: [{ name: "far", context: { cluster: "c", user: "u" } }],
    "current-context": "far",
  };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return { KUBECONFIG: path };
}

describe("wrong input", () => {
  it("S1: flags that contradict each other have one line", async () => {
    for (const other of [["--cluster"], ["--engine", "binaries"]]) {
      expect(await failed({}, "--reset", ...other)).toBe(
        `error: --reset and ${other.join(" ")} contradict each other: only the embedded API server keeps its objects\n`,
      );
    }
  });

  it("S2: a cluster that doesn't respond has one line", async () => {
    expect(await failed(kubeconfig("https://127.0.0.1:1"), "--cluster")).toMatch(
      /^error: no cluster: the server of context far \(https:\/\/127\.0\.0\.1:1\) can't be used: .*ECONNREFUSED.*\n {2}hint: .*\n$/,
    );
  });

  it("S3: CI in the environment doesn't agree to use a cluster on another machine, but --yes does", async () => {
    const env = { ...kubeconfig("https://192.0.2.1:6443"), CI: "true" };
    expect(await failed(env, "--cluster")).toBe(
      "error: can't start: context far isn't local\n  hint: use --yes to use it\n",
    );
    const agreed = await failed(env, "--cluster", "--yes");
    expect(agreed).toMatch(
      /^error: no cluster: the server of context far \(https:\/\/192\.0\.2\.1:6443\) can't be used: /,
    );
  });

  it("S4: stored objects that can't be read have one line, and --reset removes them", async () => {
    const data = join(root, ".kubewright/dev/data.jsonl");
    const first = new Dev(root);
    await first.event("ready");
    first.child.kill("SIGTERM");
    await first.ended;
    writeFileSync(data, `wrong\n${readFileSync(data, "utf8")}`);
    expect(await failed({})).toBe(
      `error: can't read the objects of the last session: ${data}:1: isn't a record of the API server: must be a JSON object\n` +
        "  hint: restore the file from a copy, or remove the line, which loses this write, or remove all objects: npx scaffold dev --reset\n",
    );
    const next = new Dev(root, {}, "--reset");
    try {
      await next.event("ready");
    } finally {
      next.child.kill("SIGTERM");
      expect(await next.ended).toBe(0);
    }
  });
});

describe("a session that runs for long", () => {
  let dev: Dev;
  beforeAll(async () => {
    dev = new Dev(root);
    await dev.event("ready");
  });
  afterAll(async () => {
    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(0);
  });
  const session = () =>
    JSON.parse(readFileSync(join(root, ".kubewright/dev/session.json"), "utf8")) as { url: string; token: string };

  it("S7: continues after its files were removed, as by npm ci", async () => {
    rmSync(join(root, ".kubewright/dev"), { recursive: true });
    const before = dev.edit(controller, "synced deployment", "synced the deployment");
    await dev.event("started", undefined, before);
    expect(dev.lines.slice(before).filter(({ event }) => event === "error")).toEqual([]);
    await eventually(async () => expect(await dev.ask("status")).toMatchObject({ pid: dev.child.pid }));
    expect(await failed({})).toMatch(/^error: can't start: a session of this project runs already/);
  });

  it("S8: restarts the manager when its environment file changes", async () => {
    const { length } = dev.lines;
    writeFileSync(join(root, ".env"), "LOG=debug\n");
    await dev.event("started", undefined, length);
  });

  it("S9: restarts the last good code while the current one has an error", async () => {
    const before = dev.edit(controller, "async reconcile(", "async reconcile((");
    await dev.event("error", undefined, before);
    const { length } = dev.lines;
    const { url, token } = session();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    expect((await send(`${url}/api/restart`, { method: "POST", headers, body: "{}" })).status).toBe(200);
    await dev.event("started", undefined, length);
    await dev.event("reconciled", undefined, length);
    const fixed = dev.edit(controller, "async reconcile((", "async reconcile(");
    await dev.event("fixed", undefined, fixed);
  });
});

it.each([
  ["the code", controller, "async reconcile(", "async reconcile(("],
  [
    "the types",
    "api/v1/game-types.ts",
    "// +kubebuilder:validation:Minimum:=1",
    "// +kubebuilder:validation:Minimum:=x",
  ],
])("S11: applies the samples when an error that %s had at the start is fixed", async (_, file, right, wrong) => {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(right);
  writeFileSync(path, text.replace(right, wrong));
  rmSync(join(root, "config/crd/bases"), { recursive: true, force: true });
  const dev = new Dev(root, {}, "--reset");
  const isSample = ({ objects }: Line) =>
    (objects as { kind: string; action: string }[]).some(({ kind, action }) => kind === "Game" && action === "created");
  try {
    await dev.event("error");
    await dev.event("ready");
    expect(dev.lines.filter((line) => line.event === "applied" && isSample(line))).toEqual([]);
    writeFileSync(path, text);
    await dev.event("applied", isSample);
    await dev.event("reconciled", ({ writes }) => Number(writes) > 0);
    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(0);
  } finally {
    dev.child.kill("SIGKILL");
    await dev.ended;
  }
});

describe("a session without a parent or an output", () => {
  const nothingIsLeft = async () => {
    await eventually(async () => expect(await processesWith(root)).toEqual([]));
    expect(existsSync(join(root, ".kubewright/dev/session.json"))).toBe(false);
  };

  it("S5: ends when its parent is killed, as npm or a shell", async () => {
    const shell = spawn("/bin/sh", ["-c", `"${process.execPath}" "${scaffoldBin}" dev --json; true`], {
      cwd: root,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    let output = "";
    shell.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await eventually(() => expect(output).toContain('"event":"ready"'), 60_000);
    shell.kill("SIGKILL");
    await eventually(() => expect(output).toContain('"reason":"the parent process has ended"'));
    await nothingIsLeft();
  });

  it("S10: ends when npm is killed, whose shell remains", async () => {
    const npm = spawn("npm", ["exec", "--", "scaffold", "dev", "--json"], {
      cwd: root,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    let output = "";
    npm.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await eventually(() => expect(output).toContain('"event":"ready"'), 60_000);
    npm.kill("SIGKILL");
    await eventually(() => expect(output).toContain('"reason":"the parent process has ended"'));
    await nothingIsLeft();
  });

  it("S6: ends when its output is closed, as by head", async () => {
    const dev = spawn(process.execPath, [scaffoldBin, "dev"], {
      cwd: root,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    const ended = new Promise((resolve) => dev.once("exit", resolve));
    await new Promise((resolve) => dev.stdout.once("data", resolve));
    dev.stdout.destroy();
    const path = join(root, controller);
    await eventually(() => {
      // Each change is a line.
      writeFileSync(path, `${readFileSync(path, "utf8")}\n`);
      expect(dev.exitCode).toBe(0);
    });
    await ended;
    await nothingIsLeft();
  });
});
