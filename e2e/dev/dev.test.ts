// Tests `scaffold dev` with the Game of the tutorial: the loop, the subcommands and the end of a session.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Objects, Why } from "@kubewright/dashboard/protocol";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Background } from "../lib/process.ts";
import { Dev, gameProject, type Line, processesWith } from "./dev-session.ts";
import { answers, checkLine } from "./json-format.ts";

const types = "api/v1/game-types.ts";
const controller = "src/controller/game-controller.ts";
const crd = "config/crd/bases/myapp.qingwave.github.io_games.yaml";
const games = "/apis/myapp.qingwave.github.io/v1/namespaces/default/games";

let dev: Dev;
let ready: Line;
let transport: ReturnType<typeof createTransport>;

/** Not the project's node_modules, which all projects share. */
const scratch = mkdtempSync(join(tmpdir(), "kubewright-programs-"));
/** The processes of Node in the session: a line with the path of the program for each. */
const programs = join(scratch, "programs");

beforeAll(async () => {
  const root = await gameProject();
  const hook = join(scratch, "hook.cjs");
  writeFileSync(hook, `require("node:fs").appendFileSync(${JSON.stringify(programs)}, process.argv[1] + "\\n");\n`);
  dev = new Dev(root, { NODE_OPTIONS: `--require=${hook}` });
  ready = await dev.event("ready");
  transport = createTransport(loadConfig({ kubeconfig: String(ready.kubeconfig) }));
});

afterAll(async () => {
  await transport?.close();
  await dev?.remove();
  rmSync(scratch, { recursive: true, force: true });
});

interface Found {
  readonly metadata: { readonly uid: string };
  readonly spec: object;
  readonly status: object;
}
const get = async (path: string) => (await transport.request({ method: "GET", path })).body as Found;
const patch = (path: string, body: object, fieldManager = "a-person") =>
  transport.request({
    method: "PATCH",
    path,
    query: { fieldManager },
    contentType: "application/merge-patch+json",
    body,
  });

describe("the loop", () => {
  it("D1: starts everything, applies CRDs and samples, and reports its kubeconfig", async () => {
    expect(ready).toMatchObject({
      engine: "embedded",
      dashboard: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/),
    });
    expect(String(ready.time)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(statSync(String(ready.kubeconfig)).mode & 0o777).toBe(0o600);
    await dev.event("applied", ({ objects }) => JSON.stringify(objects).includes("CustomResourceDefinition"));
    await dev.event("applied", ({ objects }) =>
      JSON.stringify(objects).includes('{"kind":"Game","name":"game-sample","namespace":"default","action":"created"}'),
    );
    const reconciled = await dev.event("reconciled");
    expect(reconciled).toMatchObject({
      controller: "game",
      kind: "Game",
      namespace: "default",
      name: "game-sample",
      writes: 4,
    });
    await eventually(async () =>
      expect((await get(`${games}/game-sample`)).status).toMatchObject({ phase: "Running" }),
    );
  });

  it("loads the manager once, with the address of the webhooks", () => {
    const managers = readFileSync(programs, "utf8")
      .split("\n")
      .filter((program) => program.includes("/bundles/"));
    expect(managers).toHaveLength(1);
  });

  it("D2: a changed type is served", async () => {
    const before = dev.edit(
      types,
      "  /** Docker image name */",
      "  /** Number of players. */\n  players?: Int32;\n\n  /** Docker image name */",
    );
    expect(await dev.event("changed", undefined, before)).toMatchObject({ files: [types] });
    expect(await dev.event("generated", undefined, before)).toMatchObject({ files: [crd], breaking: [] });
    expect(await dev.event("applied", undefined, before)).toMatchObject({
      objects: [{ kind: "CustomResourceDefinition", name: "games.myapp.qingwave.github.io", action: "configured" }],
    });
    await patch(`${games}/game-sample`, { spec: { players: 3 } });
    expect((await get(`${games}/game-sample`)).spec).toMatchObject({ players: 3 });
  });

  it("D3: an incompatible change is reported, withheld while objects have the field, and applied on demand", async () => {
    const before = dev.edit(types, "players?: Int32;", "players?: string;");
    const { breaking } = await dev.event("generated", undefined, before);
    expect(breaking).toMatchObject([
      { id: "type-changed", message: expect.stringContaining(".spec.players: was integer and is string") },
    ]);
    const { message } = await dev.event("error", ({ id }) => id === "withheld-storage-change", before);
    expect(message).toContain("spec.players in v1 of default/game-sample");
    await dev.ask("apply", "--accept-loss");
    await dev.event("applied", undefined, before);
    await patch(`${games}/game-sample`, { spec: { players: "three" } });
    const again = dev.edit(types, "  /** Number of players. */\n  players?: string;\n\n", "");
    await dev.event("error", ({ id }) => id === "withheld-storage-change", again);
    // No stored object has the field any longer.
    await patch(`${games}/game-sample`, { spec: { players: null } });
    await dev.event("applied", undefined, again);
  });

  it("D4: changed code replaces the manager, and the objects stay", async () => {
    const { metadata } = await get(`${games}/game-sample`);
    const before = dev.edit(controller, "synced deployment", "synced the deployment");
    const { pid } = await dev.event("started", undefined, before);
    await dev.event("reconciled", undefined, before);
    expect(await processesWith(join(dev.root, ".kubewright/dev/bundles"))).toHaveLength(1);
    expect((await dev.ask<{ manager: object }>("status")).manager).toMatchObject({
      pid,
      state: "running",
      inspected: true,
    });
    expect((await get(`${games}/game-sample`)).metadata).toMatchObject({ uid: metadata?.uid });
  });

  it("D34: the bundle contains only the project, and the manager writes with the project's name", async () => {
    const directory = join(dev.root, ".kubewright/dev/bundles");
    const bundles = readdirSync(directory).filter((name) => /^main-\d+\.js$/.test(name));
    expect(bundles.length).toBeGreaterThan(0);
    for (const name of bundles) {
      const text = readFileSync(join(directory, name), "utf8");
      expect(text).toContain('from "@kubewright/runtime"');
      expect(text.length).toBeLessThan(100_000);
    }
    const { metadata } = await get("/apis/apps/v1/namespaces/default/deployments/game-sample");
    const managers = (metadata as { managedFields?: { manager: string }[] }).managedFields?.map(
      ({ manager }) => manager,
    );
    expect(managers).toContain("mygame");
  });

  it("D5: a type error is shown with its position, and the old manager continues", async () => {
    const { manager } = await dev.ask<{ manager: { pid: number } }>("status");
    const before = dev.edit(controller, "return { ", "const wrong: number = req.name;\n    return { ").valueOf();
    expect(await dev.event("error", undefined, before)).toMatchObject({
      phase: "types",
      file: controller,
      line: expect.any(Number),
      column: expect.any(Number),
      id: expect.stringMatching(/^TS\d+$/),
    });
    expect(await dev.ask<{ manager: object; errors: unknown[] }>("status")).toMatchObject({
      manager: { pid: manager.pid, state: "running" },
      errors: [{ phase: "types" }],
    });
    const fixed = dev.edit(controller, "const wrong: number = req.name;\n    return { ", "return { ");
    await dev.event("fixed", undefined, fixed);
    expect((await dev.ask<{ errors: unknown[] }>("status")).errors).toEqual([]);
  });

  fullTest("D6: a syntax error is shown, and the old manager continues", async () => {
    const before = dev.edit(controller, "async reconcile(", "async reconcile((");
    const { manager } = await dev.ask<{ manager: { pid: number } }>("status");
    expect(await dev.event("error", ({ phase }) => phase === "bundle", before)).toMatchObject({ file: controller });
    // The generator and the compiler find it, too.
    const { length } = dev.lines;
    const fixed = dev.edit(controller, "async reconcile((", "async reconcile(");
    await dev.event("fixed", ({ phases }) => JSON.stringify(phases) === '["bundle"]', fixed);
    const errors = dev.lines.slice(before).filter(({ event }) => event === "error");
    expect(errors).toEqual([expect.objectContaining({ phase: "bundle" })]);
    expect(dev.lines.slice(before).filter(({ event }) => event === "fixed")).toHaveLength(1);
    expect(dev.lines.slice(before, length).filter(({ event }) => event === "started")).toEqual([]);
    expect(await dev.ask("status")).toMatchObject({ manager, errors: [] });
  });

  fullTest("D7: a manager that fails is reported, and runs again after the next change", async () => {
    const before = dev.edit(
      "src/main.ts",
      "const flags = parseManagerFlags();",
      'throw new Error("no luck");\n  const flags = parseManagerFlags();',
    );
    expect(await dev.event("error", ({ phase }) => phase !== "types", before)).toMatchObject({
      phase: "manager",
      message: expect.stringContaining("no luck"),
    });
    const fixed = dev.edit("src/main.ts", 'throw new Error("no luck");\n  ', "");
    await dev.event("started", undefined, fixed);
    await dev.event("reconciled", undefined, fixed);
  });
});

fullTest("D33: a syntax error has one code frame, and the line below it names what runs", async () => {
  const root = await gameProject();
  const path = join(root, controller);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("async reconcile(", "async reconcile(("));
  const session = new Background(process.execPath, [scaffoldBin, "dev"], { cwd: root });
  try {
    await eventually(() => expect(session.output).toContain("ready in"), 60_000);
    const first = session.output;
    expect(first.match(/error in /g)).toHaveLength(1);
    expect(first).toMatch(/error in bundle src\/controller\/game-controller\.ts:\d+:\d+: /);
    expect(first.match(/\| {3}async reconcile\(\(/g)).toHaveLength(1);
    expect(first).toContain("no manager runs until the errors are fixed");

    writeFileSync(path, text);
    await eventually(() => expect(session.output).toMatch(/started the manager \(process (\d+)\)/), 60_000);
    const [, pid] = /started the manager \(process (\d+)\)/.exec(session.output) ?? [];
    const good = session.output.length;
    writeFileSync(path, text.replace("async reconcile(", "async reconcile(("));
    await eventually(() => expect(session.output.slice(good)).toContain("continues to run"), 60_000);
    const second = session.output.slice(good);
    expect(second.match(/error in /g)).toHaveLength(1);
    expect(second.match(/\| {3}async reconcile\(\(/g)).toHaveLength(1);
    expect(second).toContain(`the old manager (process ${pid}) continues to run until the errors are fixed`);
  } finally {
    await session.end("SIGTERM");
    rmSync(root, { recursive: true, force: true });
  }
});

describe("the subcommands", () => {
  it("D8: why names the person who changed a child, and what the reconcile did", async () => {
    await patch("/apis/apps/v1/namespaces/default/deployments/game-sample", { spec: { replicas: 3 } });
    await eventually(async () => {
      const { object, reconciles } = await dev.ask<Why>("why", "game/game-sample", "-n", "default", "--limit", "100");
      expect(object).toMatchObject({ kind: "Game", name: "game-sample", uid: expect.any(String) });
      expect(reconciles.flatMap(({ reasons }) => reasons)).toContainEqual(
        expect.objectContaining({
          type: "update",
          kind: "Deployment",
          via: "owns",
          by: "a-person",
          changed: expect.arrayContaining(["spec.replicas"]),
        }),
      );
      // The Deployment's controller can write at the same time, so that the first attempt is a conflict.
      expect(reconciles.flatMap(({ writes }) => writes)).toContainEqual(
        expect.objectContaining({
          kind: "Deployment",
          diff: expect.stringMatching(/^- {2}replicas: 3\n\+ {2}replicas: 1$/m),
        }),
      );
    });
  });

  fullTest("D9: why names a deleted child", async () => {
    await transport.request({ method: "DELETE", path: "/api/v1/namespaces/default/services/game-sample" });
    await eventually(async () => {
      const { reconciles } = await dev.ask<Why>("why", "Game/game-sample", "--limit", "100");
      const reconcile = reconciles.find(({ reasons }) =>
        reasons.some(({ type, kind }) => type === "delete" && kind === "Service"),
      );
      expect(reconcile?.writes).toContainEqual(expect.objectContaining({ verb: "create", kind: "Service" }));
    });
  });

  it("D10: objects are trees with readiness", async () => {
    await eventually(async () => {
      const { objects } = await dev.ask<Objects>("objects");
      const game = objects.find(({ kind }) => kind === "Game");
      const children = objects.filter(({ uid }) => game?.children.includes(uid));
      expect(children.map(({ kind }) => kind).sort()).toEqual(["Deployment", "Ingress", "Service"]);
      expect(children.find(({ kind }) => kind === "Deployment")?.ready).toBe(true);
      expect(objects.some(({ kind }) => kind === "Pod")).toBe(true);
    });
  });

  it("D11: the queue and a timeline are printed, and a reconcile can be requested", async () => {
    expect(await dev.ask("queue")).toMatchObject({
      controllers: [{ name: "game", depth: expect.any(Number), active: [], delayed: expect.any(Array) }],
    });
    expect(await dev.ask("reconcile", "game/game-sample")).toEqual({ controllers: ["game"] });
    const { entries } = await dev.ask<{ entries: { type: string }[] }>("timeline", "game/game-sample");
    expect(new Set(entries.map(({ type }) => type))).toEqual(new Set(["reconcile", "change"]));
  });

  fullTest("D11: an object is deleted without kubectl, and the operator creates it again", async () => {
    const before = dev.lines.length;
    expect(await dev.ask("delete", "deployment/game-sample")).toEqual({ kind: "deployment", name: "game-sample" });
    await dev.event("reconciled", ({ writes }) => Number(writes) > 0, before);
    const { objects } = await dev.ask<{ objects: { kind: string }[] }>("objects");
    expect(objects.map(({ kind }) => kind)).toContain("Deployment");
  });

  fullTest("D12: an injected conflict fails one reconcile", async () => {
    await dev.ask("fault", "conflict", "--kind", "Deployment");
    const before = dev.lines.length;
    await patch("/apis/apps/v1/namespaces/default/deployments/game-sample", { spec: { replicas: 2 } });
    const failed = await dev.event("reconciled", ({ error }) => error !== undefined, before);
    expect(failed).toMatchObject({ error: expect.stringContaining("the object has been modified") });
    // Its reason is the retry, or an update that was queued before it.
    await dev.event("reconciled", ({ error }) => error === undefined, dev.lines.indexOf(failed));
    const { reconciles } = await dev.ask<Why>("why", "game/game-sample", "--limit", "100");
    expect(reconciles.find(({ error }) => error)?.error).toMatchObject({ file: controller, line: expect.any(Number) });
  });

  fullTest("D13: the manager survives a simulated server outage, which doesn't affect kubectl", async () => {
    const { faults } = await dev.ask<{ faults: { fault: string; until: string }[] }>(
      "fault",
      "unavailable",
      "--seconds",
      "2",
    );
    expect(faults).toMatchObject([{ fault: "unavailable", until: expect.any(String) }]);
    const before = dev.lines.length;
    await patch(`${games}/game-sample`, { spec: { replicas: 2 } });
    await dev.event("reconciled", ({ error }) => error === undefined, before);
  });

  fullTest("D14: invalid calls print a one-line error", async () => {
    const failed = async (...args: string[]) =>
      (await run(process.execPath, [scaffoldBin, "dev", ...args], { cwd: dev.root })).stderr;
    expect(await failed("why", "game")).toMatch(/^error: "game" isn't an object: it must be KIND\/NAME\n {2}hint: /);
    expect(await failed("why", "game/none")).toMatch(/^error: game none not found\n {2}hint: /);
    expect(await failed("delete", "pod/x")).toMatch(/^error: pod x not found\n/);
    expect(await failed("reconcile", "pod/x")).toMatch(/^error: no controller reconciles pod\n/);
    expect(await failed("whi")).toMatch(/^error: scaffold dev has no subcommand "whi"\n/);
    expect(await failed()).toMatch(/^error: can't start: a session of this project runs already \(process \d+\)\n/);
    const { stdout, code } = await run(process.execPath, [scaffoldBin, "dev", "--json"], { cwd: dev.root });
    const line = JSON.parse(stdout) as Line;
    checkLine(line);
    expect([code, line]).toMatchObject([
      1,
      { event: "stopped", reason: expect.stringContaining("runs already"), diagnostics: [{ id: "session-runs" }] },
    ]);
    expect(await dev.ask("status")).toMatchObject({ pid: dev.child.pid });
  });
});

fullTest("D31: responses and lines are as documented, also after failures", async () => {
  expect(new Set(dev.lines.map(({ event }) => event))).toEqual(
    new Set(["ready", "changed", "generated", "applied", "started", "reconciled", "error", "fixed"]),
  );
  for (const line of dev.lines) checkLine(line);
  const why = await dev.ask<Why>("why", "game/game-sample", "--limit", "100");
  answers.why(why, "why");
  expect(why.reconciles.length).toBeGreaterThan(10);
  const times = why.reconciles.map(({ time }) => time);
  expect(times).toEqual(times.toSorted().toReversed());
  answers.objects(await dev.ask("objects"), "objects");
  answers.queue(await dev.ask("queue"), "queue");
  expect((await dev.ask<Why>("why", "game/game-sample", "--limit", "3")).reconciles).toHaveLength(3);
  expect((await dev.ask<Why>("why", "GAME/game-sample", "-n", "default")).reconciles.length).toBeLessThanOrEqual(10);
});

describe("the end", () => {
  it("D15: SIGTERM ends everything, and the next session has the same objects", async () => {
    const { pid } = await dev.event("ready").then(() => dev.child);
    expect(await dev.ask("status")).toMatchObject({ pid });
    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(0);
    expect(dev.lines.at(-1)).toMatchObject({ event: "stopped" });
    expect(await processesWith(dev.root)).toEqual([]);
    expect(existsSync(join(dev.root, ".kubewright/dev/session.json"))).toBe(false);
    const { code, stderr } = await run(process.execPath, [scaffoldBin, "dev", "status"], { cwd: dev.root });
    expect([code, stderr]).toEqual([
      1,
      "error: no session of scaffold dev runs in this project\n  hint: start one: npx scaffold dev\n",
    ]);

    const next = new Dev(dev.root);
    await next.event("ready");
    const { objects } = await next.ask<Objects>("objects");
    expect(objects.map(({ kind }) => kind)).toContain("Game");
    expect(next.lines.filter(({ event }) => event === "applied").flatMap(({ objects: of }) => of)).not.toContainEqual(
      expect.objectContaining({ kind: "Game" }),
    );
    next.child.kill("SIGKILL");
    await next.ended;
    // The manager notices the end of the session.
    await eventually(async () => expect(await processesWith(dev.root)).toEqual([]));
    expect(readFileSync(join(dev.root, ".gitignore"), "utf8")).toContain("dev.kubeconfig");
  });
});
