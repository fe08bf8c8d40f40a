import { spawn } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { seededRandom } from "../../scripts/test-support/random.ts";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { projectOf, Sandbox } from "./sandbox.ts";

const game = "--group shop --version v1 --kind Game";
const init = "init --domain example.com --project-name mygame --webhook-certs self --fetch-deps=false";
const api = `create api ${game}`;
const webhook = `create webhook ${game} --defaulting`;

/** A command that writes: the calls before it, its own arguments, and the next command, which makes no further changes. */
export interface Writing {
  readonly before: readonly string[];
  readonly call: string;
  readonly next: string;
}

const settled = "edit --multigroup=false";
export const writing: readonly Writing[] = [
  { before: [], call: init, next: init },
  { before: [init], call: api, next: settled },
  { before: [init, api], call: webhook, next: settled },
  { before: [init, api], call: "generate", next: "generate" },
  { before: [init, api, webhook], call: `delete webhook ${game} --defaulting`, next: settled },
  { before: [init, api], call: `delete api ${game}`, next: settled },
  { before: [init, api], call: "edit --multigroup", next: "edit --multigroup" },
  { before: [init, api], call: "edit --owner Acme", next: settled },
  { before: [init, api], call: "edit --helm", next: "upgrade" },
];

/** How often the process was killed while its staging directory existed. */
export interface Kills {
  tried: number;
  midway: number;
}

/**
 * Kills a command at random moments. The next command must always find the tree as it was before or after the command.
 *
 * @param seed included in failure messages
 */
export async function killAtRandom(command: Writing, times: number, seed: number): Promise<Kills> {
  const random = seededRandom(seed);
  const made = await projectOf(command.before);
  try {
    const sandbox = new Sandbox(made.path);
    const old = sandbox.tree();
    const start = performance.now();
    expect(await sandbox.scaffold(command.call.split(" "))).toMatchObject({ code: 0 });
    const duration = performance.now() - start;
    const done = sandbox.tree();
    const kills = { tried: 0, midway: 0 };
    for (let attempt = 0; attempt < times; attempt++) {
      rmSync(sandbox.project, { recursive: true });
      cpSync(made.path, sandbox.project, { recursive: true });
      const delay = random() * (attempt % 2 === 0 ? duration : 12);
      const midway = await killed(sandbox, command.call, { delay, onceItWrites: attempt % 2 === 1 });
      if (midway) kills.midway++;
      kills.tried++;
      const end = await sandbox.scaffold(command.next.split(" "));
      const where = `seed ${seed}, attempt ${attempt}: ${command.call}, killed after ${delay.toFixed(1)} ms`;
      expect(end.stderr, where).not.toContain("this is a bug");
      const tree = sandbox.tree();
      // The same command, run again, completes its work.
      const allowed = command.next === command.call ? [done] : [old, done];
      if (!allowed.some((each) => isSame(each, tree))) expect(tree, where).toEqual(done);
    }
    return kills;
  } finally {
    made.remove();
  }
}

function isSame(one: Record<string, string>, other: Record<string, string>): boolean {
  return JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
}

/** Directories in which a command stages its files. */
const places = ["", "config/crd/bases", "config/rbac", "config/webhook"];

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/**
 * Starts a command, and kills it some milliseconds after its start, or after it begins to write. Returns whether it was in
 * the middle.
 */
async function killed(
  { project, env }: Sandbox,
  call: string,
  { delay, onceItWrites }: { readonly delay: number; readonly onceItWrites: boolean },
): Promise<boolean> {
  const options = { cwd: project, env: { ...process.env, ...env }, stdio: "ignore" } as const;
  const child = spawn(process.execPath, [scaffoldBin, ...call.split(" ")], options);
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const writes = () =>
    places.some((place) => namesIn(join(project, place)).some((name) => name.startsWith(".kubewright-")));
  if (onceItWrites) {
    // Polls often, because the phase in which to kill takes only a few milliseconds.
    const deadline = performance.now() + 20_000;
    while (!writes() && child.exitCode === null && performance.now() < deadline) await pause(1);
    const until = performance.now() + delay;
    while (performance.now() < until);
  } else await pause(delay);
  child.kill("SIGKILL");
  await ended;
  return writes();
}
