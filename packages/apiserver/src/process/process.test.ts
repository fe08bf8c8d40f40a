import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { isRunning, isSameProcess, startOfProcess } from "./process.ts";

const children: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function start(): Promise<{ pid: number; end: () => Promise<void> }> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  children.push(child);
  await once(child, "spawn");
  const end = async () => {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  return { pid: child.pid ?? 0, end };
}

it("a process is identified by its ID and its start", async () => {
  const { pid, end } = await start();
  const started = startOfProcess(pid);
  expect(started).toMatch(process.platform === "win32" ? /^$/ : /^\d+$/);
  expect(startOfProcess(pid)).toBe(started);
  expect([isRunning(pid), isSameProcess(pid, started), isSameProcess(pid, "")]).toEqual([true, true, true]);
  // Another process has its ID now.
  if (started !== "") expect(isSameProcess(pid, String(Number(started) - 1))).toBe(false);
  await end();
  expect([isRunning(pid), isSameProcess(pid, started), startOfProcess(pid)]).toEqual([false, false, ""]);
});

it.each([0, -1, 1.5, Number.NaN])("%s isn't the ID of a process", (pid) => {
  expect([isRunning(pid), isSameProcess(pid, "")]).toEqual([false, false]);
});
