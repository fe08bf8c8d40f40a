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
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it told its processes: ${errors}`)));
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

it("ends the servers when the test process is killed with SIGKILL", async () => {
  const held = await hold("wait");
  expect(isAlive(held.pids.apiServer)).toBe(true);
  held.child.kill("SIGKILL");
  await expectGone(held);
});

it("ends the servers when the test throws without stopping them", async () => {
  await expectGone(await hold("throw"));
});

it("lets a program end that forgot to stop its environment, and ends the servers then", async () => {
  const held = await hold("forget");
  await expectGone(held);
  if (held.child.exitCode === null) await new Promise((resolve) => held.child.once("exit", resolve));
  expect(held.child.exitCode).toBe(0);
});

it("is waited for while it stops, when a server takes longer than it is given", async () => {
  const held = await hold("stop");
  if (held.child.exitCode === null) await new Promise((resolve) => held.child.once("exit", resolve));
  // Node ends with 13 when nothing is left that a program could wait for.
  expect(held.child.exitCode).toBe(0);
  await expectGone(held);
});
