// Tests `scaffold dev` on a real terminal: its keys, and its end when the terminal is closed or the session is killed.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { hasPty, Pty } from "../../scripts/test-support/pty.ts";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Dev, gameProject, processesWith } from "./dev-session.ts";

const controller = "src/controller/game-controller.ts";
const crd = "config/crd/bases/myapp.qingwave.github.io_games.yaml";
let root: string;
let opened: string;

beforeAll(async () => {
  root = await gameProject();
  // Replaces the desktop's command that opens a browser.
  const bin = join(root, ".bin");
  opened = join(root, ".opened");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`);
  chmodSync(join(bin, "xdg-open"), 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A session on a terminal. */
async function start(flags = "") {
  const pty = new Pty(`"${process.execPath}" "${scaffoldBin}" dev ${flags}`, {
    cwd: root,
    columns: 200,
    env: { PATH: `${join(root, ".bin")}:${process.env.PATH}`, NO_COLOR: "1" },
  });
  let from = 0;
  /** Waits for a text in the output after the previous match. */
  const sees = async (text: string | RegExp) => {
    await eventually(() => {
      const rest = pty.output.slice(from);
      const index = typeof text === "string" ? rest.indexOf(text) : rest.search(text);
      expect(index, `${text} in ${rest}`).toBeGreaterThanOrEqual(0);
    });
    from = pty.output.length;
  };
  await sees(/dashboard {3}http:/);
  await eventually(() => expect(pty.output).toContain("q quit"));
  return {
    pty,
    sees,
    press(keys: string) {
      from = pty.output.length;
      pty.type(keys);
    },
  };
}

describe.runIf(hasPty)("the keys", () => {
  it("D26: can restart, generate, apply samples, open the dashboard, pause and quit", async () => {
    const { pty, sees, press } = await start();
    try {
      await eventually(() => expect(pty.output).toContain("reconciled Game default/game-sample"));
      press("r");
      await sees(/restarting the manager[\s\S]*started the manager/);
      writeFileSync(join(root, crd), readFileSync(join(root, crd), "utf8").replace("Docker image name", "changed"));
      press("g");
      await sees("generating");
      await eventually(() => expect(readFileSync(join(root, crd), "utf8")).toContain("Docker image name"));
      press("p");
      await sees("paused: nothing is reconciled");
      press("p");
      await sees("continued");
      const sample = join(root, "config/samples/myapp_v1_game.yaml");
      writeFileSync(sample, readFileSync(sample, "utf8").replace(/host: .*/, "host: keys.io"));
      press("a");
      await sees(/applying the samples[\s\S]*configured Game default\/game-sample/);
      press("o");
      await eventually(() => expect(existsSync(opened)).toBe(true));
      const url = readFileSync(opened, "utf8");
      const answer = await fetch(url, { redirect: "manual" });
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([303, expect.stringContaining("HttpOnly")]);
      // Other keys have no effect.
      press("x\u001b[A\r");
      press("q");
      await sees("stopped: quit");
      expect(await pty.ended).toBe(0);
    } finally {
      pty.close();
    }
    await eventually(async () => expect(await processesWith(root)).toEqual([]));
  });

  it("D27: Ctrl-C ends the session and all its processes, also with --yes", async () => {
    const { pty, press, sees } = await start("--yes");
    try {
      press("\u0003");
      await sees("stopped: quit");
      expect(await pty.ended).toBe(0);
    } finally {
      pty.close();
    }
    expect(await processesWith(root)).toEqual([]);
  });

  it("D28: a closed terminal ends the session and all its processes", async () => {
    const { pty } = await start();
    pty.close();
    await pty.ended;
    await eventually(async () => expect(await processesWith(root)).toEqual([]));
    expect(existsSync(join(root, ".kubewright/dev/session.json"))).toBe(false);
  });
});

describe("a killed session", () => {
  it("D29: ends a manager whose code blocks the event loop", async () => {
    const dev = new Dev(root);
    try {
      await dev.event("ready");
      const before = dev.edit(controller, "const game = await", "if (req.name) for (;;);\n    const game = await");
      await dev.event("started", undefined, before);
      await eventually(async () => {
        const { stderr } = await run(process.execPath, [scaffoldBin, "dev", "queue"], { cwd: root });
        expect(stderr).toContain("the manager doesn't answer");
      });
      dev.child.kill("SIGKILL");
      await dev.ended;
      await eventually(async () => expect(await processesWith(root)).toEqual([]));
    } finally {
      dev.child.kill("SIGKILL");
      await dev.ended;
    }
  });
});
