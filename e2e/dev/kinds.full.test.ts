// The subcommands of `scaffold dev` in a project with two kinds of the same name, in two API groups.
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Why } from "@kubewright/dashboard/protocol";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { scaffold, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { initProject } from "../lib/game.ts";
import { Dev } from "./dev-session.ts";

const groups = ["myapp.qingwave.github.io", "other.qingwave.github.io"] as const;
const [first, second] = groups;

let dev: Dev;
let transport: ReturnType<typeof createTransport>;

beforeAll(async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-dev-")));
  await initProject(root);
  await scaffold(root, "edit", "--multigroup");
  for (const group of ["myapp", "other"]) {
    await scaffold(root, "create", "api", "--group", group, "--version", "v1", "--kind", "Game");
    const types = join(root, `api/${group}/v1/game-types.ts`);
    const shortName = `// +kubebuilder:resource:shortName=${group}g\n`;
    const text = readFileSync(types, "utf8");
    writeFileSync(
      types,
      text.replace("// +kubebuilder:object:root=true\n", `// +kubebuilder:object:root=true\n${shortName}`),
    );
  }
  await linkPackages(root);
  dev = new Dev(root, {}, "--no-samples");
  const ready = await dev.event("ready");
  transport = createTransport(loadConfig({ kubeconfig: String(ready.kubeconfig) }));
  for (const group of groups) await create(group, "chess");
  await create(second, "go");
  await dev.event("reconciled", ({ name }) => name === "go");
  for (const group of groups) await dev.event("reconciled", ({ apiVersion }) => apiVersion === `${group}/v1`);
});

afterAll(async () => {
  await transport?.close();
  await dev?.remove();
});

const create = (group: string, name: string, namespace = "default") =>
  transport.request({
    method: "POST",
    path: `/apis/${group}/v1/namespaces/${namespace}/games`,
    body: { apiVersion: `${group}/v1`, kind: "Game", metadata: { name }, spec: {} },
  });
const failed = async (...args: string[]) =>
  (await run(process.execPath, [scaffoldBin, "dev", ...args], { cwd: dev.root })).stderr;

it("G1: why and timeline answer for the group, in each form of kubectl", async () => {
  const answers: Why[] = [];
  for (const group of groups) {
    const [start = ""] = group.split(".");
    for (const form of [`games.${group}`, `game.${group}`, `Game.v1.${group}`, `${start}g`]) {
      const why = await dev.ask<Why>("why", `${form}/chess`);
      expect(why.object.apiVersion, form).toBe(`${group}/v1`);
      expect(why.reconciles.length, form).toBeGreaterThan(0);
      for (const { object, reasons } of why.reconciles) {
        expect([object, ...reasons].map(({ apiVersion }) => apiVersion)).toEqual(
          Array(reasons.length + 1).fill(`${group}/v1`),
        );
      }
      if (form.startsWith("games")) answers.push(why);
    }
    const { entries } = await dev.ask<{ entries: { reconcile?: { object: object } }[] }>(
      "timeline",
      `games.${group}/chess`,
    );
    const reconciled = entries.flatMap(({ reconcile }) => reconcile?.object ?? []);
    expect(reconciled.length).toBeGreaterThan(0);
    for (const object of reconciled) expect(object).toMatchObject({ apiVersion: `${group}/v1` });
  }
  const [first, other] = answers;
  expect(first?.object.uid).not.toBe(other?.object.uid);
  expect(first?.reconciles[0]?.controller).not.toBe(other?.reconciles[0]?.controller);
});

it("G2: an ambiguous kind has one line with the forms to choose from, and isn't one if only one object has the name", async () => {
  for (const command of ["why", "timeline", "reconcile"]) {
    expect(await failed(command, "game/chess")).toBe(
      `error: game/chess is ambiguous: games.${first} and games.${second} have an object with this name\n` +
        `  hint: use games.${first}/chess or games.${second}/chess\n`,
    );
  }
  expect((await dev.ask<Why>("why", "game/go")).object.apiVersion).toBe(`${second}/v1`);
  expect(await failed("why", "games.apps/chess")).toMatch(/^error: no kind games\.apps in the cluster\n {2}hint: /);
  expect(await failed("why", "gmae/chess")).toBe("error: no kind gmae in the cluster\n  hint: did you mean game?\n");
});

it("G3: reconcile enqueues the object of the group", async () => {
  const before = dev.lines.length;
  const { controllers } = await dev.ask<{ controllers: string[] }>("reconcile", `games.${second}/chess`);
  expect(controllers).toHaveLength(1);
  expect(await dev.event("reconciled", undefined, before)).toMatchObject({
    apiVersion: `${second}/v1`,
    controller: controllers[0],
    name: "chess",
  });
});

it("G4: objects have their version, and their group where kinds have the same name", async () => {
  const { objects } = await dev.ask<{ objects: { apiVersion: string; name: string }[] }>("objects");
  expect(objects.map(({ apiVersion, name }) => `${apiVersion} ${name}`).sort()).toEqual([
    `${first}/v1 chess`,
    `${second}/v1 chess`,
    `${second}/v1 go`,
  ]);
  const { stdout } = await run(process.execPath, [scaffoldBin, "dev", "objects"], { cwd: dev.root });
  expect(stdout).toContain(`Game.${first} default/chess`);
  expect(stdout).toContain(`Game.${second} default/chess`);
});

it("G5: a name in two namespaces has one line with the namespaces to choose from", async () => {
  await create(second, "go", "kube-public");
  await dev.event("reconciled", ({ namespace }) => namespace === "kube-public");
  expect(await failed("why", "game/go")).toBe(
    "error: game/go is ambiguous: the namespaces default and kube-public have an object with this name\n" +
      "  hint: use --namespace default or --namespace kube-public\n",
  );
  const { object, reconciles } = await dev.ask<Why>("why", "game/go", "-n", "kube-public");
  expect(object.namespace).toBe("kube-public");
  expect(reconciles.length).toBeGreaterThan(0);
  for (const { object } of reconciles) expect(object).toMatchObject({ namespace: "kube-public", name: "go" });
});
