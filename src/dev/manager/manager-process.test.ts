import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { EndedError, killAfter, ManagerProcess } from "./manager-process.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(code: string): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ["-e", code], { stdio: "ignore" });
  children.push(child);
  return child as ChildProcess & { pid: number };
}

it.skipIf(process.platform === "win32")("kills a blocked manager only when its session is gone", async () => {
  const session = start("setInterval(() => {}, 1000)");
  const manager = start("for (;;);");
  killAfter(session.pid, manager.pid);
  await sleep(1500);
  expect(manager.signalCode).toBeNull();
  const ended = once(manager, "exit");
  session.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
});

it("answers that the manager has ended while its process ends, and not that its runtime is too old", async () => {
  const directory = mkdtempSync(join(tmpdir(), "manager-process-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const bundle = join(directory, "main.js");
  // The channel closes first. The process ends after it.
  writeFileSync(
    bundle,
    `process.send({ kubewright: "inspect" }, () => {
      process.disconnect();
      console.log("closed");
      setTimeout(() => process.exit(), 500);
    });`,
  );
  const options = { cwd: directory, env: process.env, isPaused: false, webhookKeys: undefined, identity: undefined };
  const lines: string[] = [];
  const ignore = () => {};
  const events = { onMessage: ignore, onFaults: ignore, onWebhooks: ignore, onEnd: ignore };
  const manager = new ManagerProcess(bundle, [], options, { ...events, onLine: (line) => void lines.push(line) });
  await expect.poll(() => manager.isInspected && lines.includes("closed")).toBe(true);
  await expect(manager.call({ call: "faults" })).rejects.toThrow(EndedError);
});
