// Each fault of `scaffold dev`, combined with each event of a session: in the end, the code on disk reconciles, and nothing is lost.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, loadConfig, type Transport } from "@kubewright/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Dev } from "./dev-session.ts";
import { EditedProject, gameExample } from "./edited-project.ts";
import { EditedSession, expectCurrent } from "./edited-session.ts";
import { send } from "./requests.ts";

/** All faults, with the arguments of the command. */
export const faults = {
  conflict: ["conflict", "--count", "3"],
  unavailable: ["unavailable", "--seconds", "600"],
  "watch-cut": ["watch-cut"],
  "webhook-down": ["webhook-down", "--seconds", "600"],
  "pod-fails": ["pod-fails"],
} as const;

/** All events. */
export const events = [
  "a save",
  "a type error",
  "a demanded restart",
  "the end of the session and the next one",
  "kill -9 of the session and the next one",
  "kill -9 of the manager",
  "a new version of the CRD",
  "a new kind",
] as const;

type FaultName = keyof typeof faults;
type EventName = (typeof events)[number];

const games = "/apis/myapp.qingwave.github.io/v1/namespaces/default/games";
const pods = "/api/v1/namespaces/default/pods";
const fail = "apiserver.kubewright.dev/fail";

interface Named {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: object;
}

/**
 * Defines a test per combination.
 *
 * @param combinations - the faults and events
 * @param before - defines tests that use the same session earlier
 */
export function faultsAndEvents(
  combinations: readonly (readonly [FaultName, EventName])[],
  before: (dev: () => Dev, transport: () => Transport) => void = () => {},
): void {
  let project: EditedProject;
  let dev: Dev;
  let session: EditedSession;
  let transport: Transport;
  let witness: Named;
  let created = 1;

  async function connect(): Promise<void> {
    const { kubeconfig } = await dev.event("ready");
    transport = createTransport(loadConfig({ kubeconfig: String(kubeconfig) }));
    session = new EditedSession(project, String(kubeconfig));
  }
  async function next(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await session.close();
    await transport.close();
    dev.child.kill(signal);
    await dev.ended;
    dev = new Dev(project.root);
    await connect();
  }
  const get = async <T>(path: string) => (await transport.request({ method: "GET", path })).body as T;
  const list = async (path: string) => (await get<{ items: Named[] }>(path)).items;
  const flags = (kind: string, version: string) => ["--group", "myapp", "--version", version, "--kind", kind];
  async function restart(): Promise<void> {
    const file = readFileSync(join(project.root, ".kubewright/dev/session.json"), "utf8");
    const { url, token } = JSON.parse(file) as { url: string; token: string };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    await send(`${url}/api/restart`, { method: "POST", headers, body: "{}" });
  }

  /** Whether the session of the fault ends. */
  const endsSession = (event: EventName) => event.endsWith("the next one");

  const run: Record<EventName, () => Promise<void>> = {
    "a save": async () => project.edit("code"),
    "a type error": async () => {
      project.edit("typeError");
      await eventually(async () => expect(await session.errors()).toContain("types"), 120_000, 100);
      project.edit("code");
      project.edit("fix");
    },
    "a demanded restart": restart,
    // The new code is on disk when the session ends, and may not have been built.
    "the end of the session and the next one": async () => {
      project.edit("code");
      await next("SIGTERM");
    },
    "kill -9 of the session and the next one": async () => {
      project.edit("code");
      await next("SIGKILL");
    },
    "kill -9 of the manager": async () => {
      const { manager } = await dev.ask<{ manager: { pid: number | null } }>("status");
      const { length } = dev.lines;
      // An outage can have ended it already.
      if (manager.pid !== null) process.kill(manager.pid, "SIGKILL");
      if (manager.pid !== null) await dev.event("error", ({ phase }) => phase === "manager", length);
      await restart();
    },
    "a new version of the CRD": async () => {
      created++;
      await scaffold(project.root, "create", "api", ...flags("Game", `v${created}`), "--controller=false");
      project.adoptTypes();
      project.edit("code");
      await eventually(
        async () => expect(JSON.stringify(await get("/apis/myapp.qingwave.github.io"))).toContain(`v${created}`),
        120_000,
        100,
      );
    },
    "a new kind": async () => {
      created++;
      await scaffold(project.root, "create", "api", ...flags(`Other${created}`, "v1"));
      project.edit("code");
      const groups = "/apis/myapp.qingwave.github.io/v1";
      await eventually(
        async () => expect(JSON.stringify(await get(groups))).toContain(`Other${created}`),
        120_000,
        100,
      );
    },
  };

  beforeAll(async () => {
    project = await EditedProject.create(gameExample, () => 0.5);
    dev = new Dev(project.root);
    await connect();
    await dev.event("reconciled");
    const [sample] = await list(games);
    const body = { ...sample, metadata: { name: "witness", annotations: { written: "by the test" } } };
    const { spec } = (await transport.request({ method: "POST", path: games, body })).body as Named;
    witness = { metadata: { name: "witness", annotations: { written: "by the test" } }, spec };
  }, 300_000);
  afterAll(async () => {
    await session?.close();
    await transport?.close();
    await dev?.remove();
  });

  before(
    () => dev,
    () => transport,
  );

  it.each(combinations)(
    "%s, then %s: the code on disk reconciles, and nothing is lost",
    async (fault, event) => {
      const before = (await list(games)).length;
      const [pod] = await list(pods);
      const failing = pod?.metadata.name ?? "";
      const { length } = dev.lines;
      await dev.ask("fault", ...faults[fault], ...(fault === "pod-fails" ? [failing] : []));
      await run[event]();
      const { faults: active } = await dev.ask<{ faults: { fault: string }[] }>("fault", "list");
      // Conflicts can be used up, and a cut is over at once.
      if (endsSession(event)) expect(active).toEqual([]);
      else if (fault !== "conflict" && fault !== "watch-cut") expect(active).toMatchObject([{ fault }]);
      expect(await dev.ask("fault", "clear")).toEqual({ faults: [] });

      const about = `${fault}, then ${event}`;
      await eventually(() => expectCurrent(project, session, about), 180_000, 200).catch((error: unknown) => {
        const lines = dev.lines.slice(endsSession(event) ? 0 : length).map((line) => JSON.stringify(line));
        throw new Error(`${about}\n${lines.join("\n")}\n${dev.errors}`, { cause: error });
      });
      expect(await list(games)).toHaveLength(before);
      expect(await get(`${games}/witness`)).toMatchObject(witness);
      for (const { metadata } of await list(pods)) expect(metadata.annotations ?? {}).not.toHaveProperty([fail]);
      await eventually(
        async () => expect(await dev.ask("status")).toMatchObject({ manager: { state: "running" }, errors: [] }),
        120_000,
        200,
      );
    },
    600_000,
  );

  it("reconciles objects that are created afterwards", async () => {
    const body = { ...witness, apiVersion: "myapp.qingwave.github.io/v1", kind: "Game", metadata: { name: "last" } };
    const { length } = dev.lines;
    await transport.request({ method: "POST", path: games, body });
    await dev.event("reconciled", ({ name, error }) => name === "last" && error === undefined, length);
  }, 120_000);
}
