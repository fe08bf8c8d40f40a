// Everything that sessions with real servers and scaffolded tests start listens on the loopback interface only.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exposed, type Listener, listeners, processTree } from "../../scripts/test-support/listeners.ts";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { scaffold } from "../../scripts/test-support/scaffold.ts";
import { createApi, initProject } from "../lib/game.ts";
import { Dev } from "./dev-session.ts";
import { EditedProject, gameExample } from "./edited-project.ts";

const isLinux = process.platform === "linux";

/** Collects what a process and its children listen on until it ends. */
async function listenersOf(pid: number, ended: Promise<unknown>): Promise<Listener[]> {
  const byPort = new Map<string, Listener>();
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const listener of listeners(processTree(pid)))
      byPort.set(`${listener.pid} ${listener.host} ${listener.port}`, listener);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [...byPort.values()];
}

it.skipIf(!isLinux)("dev --engine binaries", async () => {
  const project = await EditedProject.create(gameExample, () => 0.5);
  const dev = new Dev(project.root, {}, "--engine", "binaries");
  try {
    await dev.event("reconciled");
    const open = listeners(processTree(Number(dev.child.pid)));
    // etcd, kube-apiserver, the dashboard and the webhooks at least.
    expect(new Set(open.map(({ pid }) => pid)).size).toBeGreaterThanOrEqual(3);
    expect(exposed(open)).toEqual([]);
  } finally {
    await dev.remove();
  }
});

describe("the tests of a project", () => {
  it.skipIf(!isLinux).each(["embedded", "binaries"])("with %s servers", async (engine) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-loopback-")));
    await initProject(root);
    await createApi(root);
    const kind = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
    await scaffold(root, "create", "webhook", ...kind, "--defaulting", "--programmatic-validation");
    await linkPackages(root);
    await scaffold(root, "manifests");
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [vitest, "run"], {
      cwd: root,
      env: { ...process.env, KUBEWRIGHT_ENVTEST_ENGINE: engine },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    try {
      const open = await listenersOf(Number(child.pid), ended);
      expect(await ended).toEqual([0, null]);
      // The servers of each test file, and webhooks.
      expect(open.length).toBeGreaterThanOrEqual(3);
      expect(exposed(open)).toEqual([]);
    } finally {
      child.kill("SIGKILL");
      rmSync(root, { recursive: true, force: true });
    }
  });
});
