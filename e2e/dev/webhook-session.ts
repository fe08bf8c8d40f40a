// The loop of `scaffold dev` with webhooks: what its processes listen on, faults, and errors in files that main.ts doesn't reach.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Transport } from "@kubewright/runtime";
import { describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { exposed, listeners, processTree } from "../../scripts/test-support/listeners.ts";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import type { Dev, Line } from "./dev-session.ts";
import { gameExample } from "./edited-project.ts";

const { controller } = gameExample.files;
const test = "src/controller/game-controller.test.ts";
const pods = "/api/v1/namespaces/default/pods";
const fail = "apiserver.kubewright.dev/fail";

interface Pod {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/**
 * Defines the tests.
 *
 * @param dev - the session of the Game with webhooks, which has reconciled its sample
 * @param transport - the connection to its API server
 */
export function testWebhookSession(dev: () => Dev, transport: () => Transport): void {
  const status = () => dev().ask<{ manager: { pid: number; state: string }; errors: readonly Line[] }>("status");
  const get = async <T>(path: string) => (await transport().request({ method: "GET", path })).body as T;
  /** Returns the first Pod of the sample, when it exists. */
  async function firstPod(): Promise<Pod> {
    let pod: Pod | undefined;
    await eventually(async () => {
      pod = (await get<{ items: Pod[] }>(pods)).items[0];
      expect(pod).toBeDefined();
    });
    return pod as Pod;
  }
  const annotationsOf = async (name: string) => (await get<Pod>(`${pods}/${name}`)).metadata.annotations ?? {};

  it.skipIf(process.platform !== "linux")("D36: nothing of a session listens on other interfaces", async () => {
    const { manager } = await status();
    const pids = processTree(Number(dev().child.pid));
    expect(pids).toContain(manager.pid);
    const open = listeners(pids);
    // The API server and the dashboard of the session, and at least the webhooks or probes of the manager.
    expect(open.filter(({ pid }) => pid === dev().child.pid).length).toBeGreaterThanOrEqual(2);
    expect(open.some(({ pid }) => pid === manager.pid)).toBe(true);
    expect(exposed(open)).toEqual([]);
  });

  describe("errors in files that main.ts doesn't reach", () => {
    it("D37: are shown once, and block nothing", async () => {
      const before = dev().lines.length;
      writeFileSync(
        join(dev().root, test),
        `${readFileSync(join(dev().root, test), "utf8")}\nexport const wrong: number = "x";\n`,
      );
      expect(await dev().event("error", undefined, before)).toMatchObject({ phase: "types", file: test, id: "TS2322" });
      for (const [from, to] of [
        ["synced deployment", "synced the deployment"],
        ["synced the deployment", "synced deployment"],
      ] as const) {
        const saved = dev().edit(controller, from, to);
        await dev().event("started", undefined, saved);
      }
      expect(
        dev()
          .lines.slice(before)
          .filter(({ event }) => event === "error"),
      ).toHaveLength(1);
      expect((await status()).errors).toMatchObject([{ phase: "types", file: test }]);
      const fixed = dev().edit(test, '\nexport const wrong: number = "x";\n', "");
      await dev().event("fixed", undefined, fixed);
    });
  });

  describe("faults", () => {
    fullTest(
      "D38: a save during an outage ends the manager, and one runs when the outage is over, without another save",
      async () => {
        await dev().ask("fault", "unavailable", "--seconds", "600");
        const saved = dev().edit(controller, "synced deployment", "synced its deployment");
        const ended = await dev().event("error", ({ phase }) => phase === "manager", saved);
        expect(ended).toMatchObject({
          hint: "it starts again when the fault unavailable ends: npx scaffold dev fault clear",
        });
        const { length } = dev().lines;
        await dev().ask("fault", "clear");
        await dev().event("started", undefined, length);
        await dev().event("reconciled", undefined, length);
        expect(await status()).toMatchObject({ manager: { state: "running" }, errors: [] });
      },
    );

    it("D39: a Pod that fails is listed and cleared", async () => {
      const { name } = (await firstPod()).metadata;
      const listed = { faults: [{ fault: "pod-fails", namespace: "default", name }] };
      expect(await dev().ask("fault", "pod-fails", `default/${name}`)).toEqual(listed);
      expect(await dev().ask("fault", "list")).toEqual(listed);
      expect(await annotationsOf(name)).toMatchObject({ [fail]: "crash" });
      expect(await dev().ask("fault", "clear")).toEqual({ faults: [] });
      expect(await annotationsOf(name)).not.toHaveProperty([fail]);
    });

    it("D40: an object that doesn't exist isn't reconciled", async () => {
      const call = (...flags: string[]) =>
        run(process.execPath, [scaffoldBin, "dev", "reconcile", "game/none", ...flags], { cwd: dev().root });
      const { code, stderr } = await call();
      expect([code, stderr]).toEqual([
        1,
        "error: Game default/none not found\n  hint: see npx scaffold dev objects for the objects of the project\n",
      ]);
      const json = await call("--json");
      expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
        1,
        { diagnostics: [{ message: "Game default/none not found" }] },
      ]);
    });
  });
}
