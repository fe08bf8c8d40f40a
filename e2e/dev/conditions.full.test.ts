// Tests `scaffold dev` under unusual conditions: files that are removed or broken while it runs, and leader election.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { Dev, gameProject, processesWith } from "./dev-session.ts";
import { checkLine } from "./json-format.ts";
import { send } from "./requests.ts";

const controller = "src/controller/game-controller.ts";
const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/games.myapp.qingwave.github.io";
const games = "/apis/myapp.qingwave.github.io/v1/namespaces/default/games";
const lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/7bc453ad.qingwave.github.io";
let root: string;
let dev: Dev;
let transport: ReturnType<typeof createTransport>;

beforeAll(async () => {
  root = await gameProject();
});
afterAll(async () => {
  await transport?.close();
  for (const path of [root, `${root}-renamed`]) rmSync(path, { recursive: true, force: true });
});

async function start(...flags: string[]): Promise<void> {
  dev = new Dev(root, {}, ...flags);
  const { kubeconfig } = await dev.event("ready");
  await transport?.close();
  transport = createTransport(loadConfig({ kubeconfig: String(kubeconfig) }));
}
async function stop(): Promise<void> {
  dev.child.kill("SIGTERM");
  expect(await dev.ended).toBe(0);
  for (const line of dev.lines) checkLine(line);
}
const request = async (method: "GET" | "DELETE", path: string) => (await transport.request({ method, path })).body;
const press = (path: string) => {
  const { url, token } = JSON.parse(readFileSync(join(root, ".kubewright/dev/session.json"), "utf8"));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return send(`${url}/api/${path}`, { method: "POST", headers, body: "{}" });
};
/** Applies the samples, and waits until the manager has reconciled the new object. */
async function samplesReconciled(): Promise<void> {
  const { length } = dev.lines;
  await press("samples");
  await dev.event("applied", ({ objects }) => JSON.stringify(objects).includes('"Game"'), length);
  await dev.event("reconciled", ({ writes }) => Number(writes) > 0, length);
}
const errorsAfter = (length: number) => dev.lines.slice(length).filter(({ event }) => event === "error");
const holder = async () =>
  ((await request("GET", lease)) as { spec: { holderIdentity: string; leaseTransitions: number } }).spec;

it("C1: a CRD that is deleted by hand is reported, and applied again by the next change or by g", async () => {
  await start();
  await dev.event("reconciled");
  let { length } = dev.lines;
  await request("DELETE", definition);
  await dev.event("note", ({ message }) => String(message).startsWith("CustomResourceDefinition games."), length);
  length = dev.edit(controller, "synced deployment", "synced the deployment");
  await dev.event("applied", ({ objects }) => JSON.stringify(objects).includes('"action":"created"'), length);
  await dev.event("started", undefined, length);
  await samplesReconciled();
  ({ length } = dev.lines);
  await request("DELETE", definition);
  await dev.event("note", undefined, length);
  await press("generate");
  await dev.event("applied", ({ objects }) => JSON.stringify(objects).includes('"action":"created"'), length);
  expect(errorsAfter(length)).toEqual([]);
  // The manager continues, with the objects of the new definition.
  await samplesReconciled();
});

it("C2: broken settings are reported once, with what to do, until they are fixed", async () => {
  const before = dev.edit("PROJECT", "layout", "[layout");
  const { message, hint } = await dev.event("error", undefined, before);
  expect([message, hint]).toEqual([
    expect.stringMatching(/^PROJECT can't be read: /),
    "restore it from version control",
  ]);
  const repaired = dev.edit("PROJECT", "[layout", "layout");
  await dev.event("fixed", undefined, repaired);
  const broken = dev.edit("package.json", "{", "{{");
  await dev.event("error", ({ phase }) => phase === "bundle", broken);
  const fixed = dev.edit("package.json", "{{", "{");
  await dev.event("fixed", ({ phases }) => JSON.stringify(phases).includes("bundle"), fixed);
  expect(dev.lines.slice(broken, fixed).filter(({ phase }) => phase === "bundle")).toMatchObject([
    { file: "package.json", line: 1 },
  ]);
});

it("C3: the stored objects survive that their file is removed, as by npm ci, and a later loss is reported", async () => {
  const { length } = dev.lines;
  rmSync(join(root, ".kubewright/dev"), { recursive: true });
  expect(await dev.event("note", undefined, length)).toMatchObject({
    message: "the file of the stored objects was removed: it is written again",
  });
  await stop();
  await start();
  expect((await request("GET", games)) as { items: object[] }).toMatchObject({ items: [{ kind: "Game" }] });
  expect(dev.lines.filter(({ event }) => event === "note")).toEqual([]);
  await stop();
  rmSync(join(root, ".kubewright/dev"), { recursive: true });
  await start();
  expect(await dev.event("note")).toMatchObject({
    message: "the objects of the last session were removed with node_modules, as by npm ci: the cluster is empty",
  });
  await stop();
});

it("C4: a manager with leader election continues with the lease of the one before, and releases it at the end", async () => {
  const main = join(root, "src/main.ts");
  const text = readFileSync(main, "utf8");
  const elected = text.replace("leaderElectionReleaseOnCancel: true", "leaderElection: true");
  expect(elected).not.toBe(text);
  writeFileSync(main, elected);
  await start();
  await dev.event("reconciled");
  const first = await holder();
  for (const [from, to] of [
    ["synced the deployment", "synced deployment"],
    // One that ends without any cleanup.
    ["const game = await", 'if (req.name) process.kill(process.pid, "SIGKILL");\n    const game = await'],
    ['if (req.name) process.kill(process.pid, "SIGKILL");\n    ', ""],
  ] as const) {
    const before = dev.edit(controller, from, to);
    await dev.event(to.includes("SIGKILL") ? "error" : "reconciled", undefined, before);
    expect(await holder()).toMatchObject({ holderIdentity: first.holderIdentity, leaseTransitions: 0 });
  }
  await stop();
  await start();
  await dev.event("reconciled");
  expect(await holder()).toMatchObject({ leaseTransitions: 1 });
  // A killed session leaves its lease: the next one takes it over for its own manager.
  dev.child.kill("SIGKILL");
  await dev.ended;
  await start();
  expect(await dev.event("takeover")).toMatchObject({
    action: "taken",
    from: expect.stringMatching(/^kubewright-dev_/),
  });
  await dev.event("reconciled");
  await stop();
  writeFileSync(main, text);
});

it("C5: a session ends when its project is renamed, and doesn't create it again", async () => {
  await start();
  renameSync(root, `${root}-renamed`);
  expect(await dev.ended).toBe(0);
  expect(dev.lines.at(-1)).toMatchObject({
    event: "stopped",
    reason: `the project's directory ${root} was removed, renamed or replaced`,
  });
  await eventually(async () => expect(await processesWith(`${root}/`)).toEqual([]));
  expect(existsSync(root)).toBe(false);
});
