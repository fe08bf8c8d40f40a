import { spawn } from "node:child_process";
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { seededRandom } from "../../scripts/test-support/random.ts";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import type { Writing } from "./killed.ts";
import { projectOf, Sandbox } from "./sandbox.ts";

/**
 * When to send a signal: some time after the start, when the process listens for signals, while it writes, or at its first
 * output.
 */
const moments = ["start", "listens", "writes", "speaks"] as const;
type Moment = (typeof moments)[number];
const signals = ["SIGINT", "SIGTERM"] as const;

/** The result of a command that received a signal. */
interface Ended {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Is empty if the process ended before it listened for signals. */
  readonly listens: string;
}

/** How often commands ended in each way. */
export interface Interruptions {
  /** With exit code 130 and an unchanged tree. */
  interrupted: number;
  /** With exit code 0 and all work completed. */
  completed: number;
  /** By the signal, before Node ran a line of the tool. */
  unheard: number;
}

// Node doesn't report when a process listens for signals, so the last of the two listeners writes to a separate pipe. The
// hook must be installed before the tool loads anything, because a signal during loading would kill the process.
const preload = `const { writeSync } = require("node:fs");
const Module = require("node:module");
const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (!isMain && process.listenerCount("SIGTERM") === 0) writeSync(3, "too late for " + request + " ");
  return load.call(this, request, parent, isMain);
};
const on = process.on;
process.on = function (name, ...rest) {
  const result = on.call(this, name, ...rest);
  if (name === "SIGTERM") {
    process.on = on;
    writeSync(3, "listens");
  }
  return result;
};`;

/**
 * Sends SIGINT and SIGTERM to a command at random moments. It must end with 130, one line and an unchanged tree, or with 0
 * and the tree and output of an undisturbed run.
 *
 * @param seed included in failure messages
 */
export async function interruptAtRandom(
  { before, call }: Writing,
  times: number,
  seed: number,
): Promise<Interruptions> {
  const random = seededRandom(seed);
  const made = await projectOf(before);
  try {
    const sandbox = new Sandbox(made.path);
    const hook = join(sandbox.base, "preload.cjs");
    writeFileSync(hook, preload);
    const old = sandbox.tree();
    const undisturbed = await started(sandbox, hook, call, async () => undefined);
    const { code, stdout, stderr, duration } = undisturbed;
    expect(code, stderr).toBe(0);
    const done = sandbox.tree();
    const counts: Interruptions = { interrupted: 0, completed: 0, unheard: 0 };
    for (let attempt = 0; attempt < times; attempt++) {
      rmSync(sandbox.project, { recursive: true });
      cpSync(made.path, sandbox.project, { recursive: true });
      const moment = moments[attempt % moments.length] ?? "start";
      const signal = signals[Math.floor(random() * 2)] ?? "SIGINT";
      const delay = random() * (moment === "start" ? duration * 1.1 : moment === "listens" ? duration / 2 : 3);
      const end = await started(sandbox, hook, call, async (child) => {
        await child.reaches(moment);
        await pause(delay);
        child.kill(signal);
      });
      expect(end.listens).not.toContain("too late");
      const where = `seed ${seed}, attempt ${attempt}: ${call}, ${signal} ${delay.toFixed(1)} ms after "${moment}"`;
      const tree = sandbox.tree();
      if (end.killedBy !== null) {
        expect(end, where).toMatchObject({ listens: "", stdout: "", stderr: "" });
        expect(tree, where).toEqual(old);
        counts.unheard++;
      } else if (end.code === 130) {
        const output = { stdout: end.stdout, stderr: end.stderr };
        expect(output, where).toEqual({ stdout: "", stderr: "error: interrupted, nothing was changed\n" });
        expect(tree, where).toEqual(old);
        counts.interrupted++;
      } else {
        expect({ code: end.code, stdout: end.stdout, stderr: end.stderr }, where).toEqual({ code: 0, stdout, stderr });
        expect(tree, where).toEqual(done);
        counts.completed++;
      }
    }
    return counts;
  } finally {
    made.remove();
  }
}

interface Child {
  reaches(moment: Moment): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs a command to its end while an action is performed on it. */
async function started(
  { project, env }: Sandbox,
  hook: string,
  call: string,
  act: (child: Child) => Promise<void>,
): Promise<Ended & { readonly duration: number }> {
  const start = performance.now();
  const child = spawn(process.execPath, ["--require", hook, scaffoldBin, ...call.split(" ")], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const heard = { stdout: "", stderr: "", listens: "" };
  const streams = { stdout: child.stdout, stderr: child.stderr, listens: child.stdio[3] };
  for (const [name, stream] of Object.entries(streams)) {
    (stream as NodeJS.ReadableStream).setEncoding("utf8").on("data", (text: string) => {
      heard[name as keyof typeof heard] += text;
    });
  }
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on("close", (code, signal) => resolve([code, signal])),
  );
  const isReached: Record<Moment, () => boolean> = {
    start: () => true,
    listens: () => heard.listens !== "",
    writes: () => isWriting(project),
    speaks: () => heard.stdout !== "" || heard.stderr !== "",
  };
  await act({
    async reaches(moment) {
      while (!isReached[moment]() && child.exitCode === null && child.signalCode === null) await pause(1);
    },
    kill: (signal) => void child.kill(signal),
  });
  const [code, killedBy] = await ended;
  const { stdout, stderr, listens } = heard;
  return { code, killedBy, stdout, stderr, listens, duration: performance.now() - start };
}

/** Directories in which a command stages its files. */
const places = ["", "config/crd/bases", "config/rbac", "config/webhook"];

function isWriting(project: string): boolean {
  return places.some((place) => {
    try {
      return readdirSync(join(project, place)).some((name) => name.startsWith(".kubewright-"));
    } catch {
      return false;
    }
  });
}
