import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("testdata/hold-environment.ts", import.meta.url));

interface Held {
  child: ChildProcess;
  pids: { etcd: number; apiServer: number };
  directory: string;
}

async function hold(how: string): Promise<Held> {
  const child = spawn(process.execPath, ["--import", "tsx", script, how], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (output.includes("\n")) resolve({ child, ...JSON.parse(output) });
    });
    let errors = "";
    child.stderr?.on("data", (chunk) => {
      errors += chunk;
    });
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it printed its processes: ${errors}`)));
  });
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function expectGone({ pids, directory }: Held): Promise<void> {
  const left = () => [...Object.values(pids).filter(isAlive), ...(existsSync(directory) ? [directory] : [])];
  const deadline = Date.now() + 30_000;
  while (left().length > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(left()).toEqual([]);
}

it("the servers stop when the test process is killed with SIGKILL", async () => {
  const held = await hold("wait");
  expect(isAlive(held.pids.apiServer)).toBe(true);
  held.child.kill("SIGKILL");
  await expectGone(held);
});

it("the servers stop when the test throws without stopping them", async () => {
  await expectGone(await hold("throw"));
});

it("a program that doesn't stop its environment exits, and the servers stop", async () => {
  const held = await hold("forget");
  await expectGone(held);
  if (held.child.exitCode === null) await new Promise((resolve) => held.child.once("exit", resolve));
  expect(held.child.exitCode).toBe(0);
});

it("a program waits for the environment to stop, even if a server exceeds its stop timeout", async () => {
  const held = await hold("stop");
  if (held.child.exitCode === null) await new Promise((resolve) => held.child.once("exit", resolve));
  // Node.js exits with 13 if a program awaits a promise while nothing can settle it.
  expect(held.child.exitCode).toBe(0);
  await expectGone(held);
});
