// Tests `scaffold dev` while a package manager removes and installs the packages again, as `npm ci` does.
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Dev, gameProject } from "./dev-session.ts";

const controller = "src/controller/game-controller.ts";

it("changes during an installation take effect at its end, without an action and with one message", async () => {
  const root = await gameProject();
  const modules = join(root, "node_modules");
  const store = realpathSync(modules);
  rmSync(modules);
  const install = () => {
    mkdirSync(modules, { recursive: true });
    for (const name of readdirSync(store).filter((name) => !name.startsWith("."))) {
      if (!existsSync(join(modules, name))) symlinkSync(join(store, name), join(modules, name), "junction");
    }
    mkdirSync(join(modules, ".bin"), { recursive: true });
    for (const name of readdirSync(join(store, ".bin"))) {
      const path = join(modules, ".bin", name);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(realpathSync(join(store, ".bin", name)), path);
    }
    writeFileSync(join(modules, ".package-lock.json"), "{}");
  };
  install();
  const dev = new Dev(root);
  try {
    await dev.event("ready");
    await dev.event("reconciled");
    const before = dev.lines.length;
    rmSync(modules, { recursive: true });
    dev.edit(controller, "synced deployment", "synced the deployment");
    await dev.event("error", undefined, before);
    for (const word of ["one", "two", "three"]) {
      dev.edit("api/v1/game-types.ts", "Docker image name", `Docker image name ${word}`);
      await sleep(500);
    }
    const errors = dev.lines.slice(before).filter(({ event }) => event === "error");
    expect(errors).toMatchObject([
      {
        phase: "bundle",
        message: "packages are missing in node_modules: changes take effect when they are installed",
        hint: "if no installation runs, start one: npm install",
      },
    ]);
    expect(dev.lines.slice(before).map(({ event }) => event)).not.toContain("started");
    const installed = dev.lines.length;
    install();
    await dev.event("fixed", ({ phases }) => JSON.stringify(phases) === '["bundle"]', installed);
    await dev.event("applied", ({ objects }) => JSON.stringify(objects).includes('"configured"'), installed);
    await dev.event("started", undefined, installed);
    expect(dev.lines.slice(installed).filter(({ event }) => event === "error")).toEqual([]);
    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(0);
  } finally {
    await dev.remove();
  }
});
