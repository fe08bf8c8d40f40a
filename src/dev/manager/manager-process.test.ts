import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { killAfter } from "./manager-process.ts";

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
