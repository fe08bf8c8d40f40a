import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Finished, run } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { snapshot } from "../../scripts/test-support/tree.ts";

/** A checkout next to foreign files, with its own home and temporary directory. */
export class Sandbox {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-attack-")));
  readonly project = join(this.base, "checkout");

  /** @param from a project to start with; an empty directory by default */
  constructor(from?: string) {
    onTestFinished(() => rmSync(this.base, { recursive: true, force: true }));
    for (const name of ["home", "tmp", "checkout", "beside"]) mkdirSync(join(this.base, name));
    writeFileSync(join(this.base, "secret.txt"), "secret");
    writeFileSync(join(this.base, "beside/secret.txt"), "secret");
    if (from !== undefined) cpSync(from, this.project, { recursive: true, verbatimSymlinks: true });
  }

  get env(): Record<string, string | undefined> {
    const nothing = ["XDG_STATE_HOME", "XDG_CACHE_HOME", "KUBECONFIG", "KUBECTL", "CI"];
    const absent = Object.fromEntries(nothing.map((name) => [name, undefined]));
    return { ...absent, HOME: join(this.base, "home"), TMPDIR: join(this.base, "tmp") };
  }

  /** Runs the built command line. */
  scaffold(args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Finished> {
    return run(process.execPath, [scaffoldBin, ...args], { cwd: this.project, env: { ...this.env, ...env } });
  }

  /** Returns the project's files. */
  tree(): Record<string, string> {
    return snapshot(this.project);
  }

  /** Returns the files around the project, without the tool's own state and cache. */
  outside(): Record<string, string> {
    const own = /^(checkout\/|home\/\.(cache|local)(\/|$)|tmp\/kubewright-locks-)/;
    return Object.fromEntries(Object.entries(snapshot(this.base)).filter(([path]) => !own.test(path)));
  }
}

/** Creates a project with the built command line, once, for tests to copy. */
export async function projectOf(calls: readonly string[]): Promise<{ readonly path: string; remove(): void }> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-attacked-")));
  const path = join(base, "checkout");
  mkdirSync(path);
  for (const call of calls) {
    const { code, stderr } = await run(process.execPath, [scaffoldBin, ...call.split(" ")], { cwd: path });
    if (code !== 0) throw new Error(`scaffold ${call}: ${stderr}`);
  }
  return { path, remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** The calls that create a project with a kind and its webhooks. */
export const gameProject = [
  "init --domain example.com --project-name mygame --webhook-certs self --fetch-deps=false",
  "create api --group shop --version v1 --kind Game",
  "create webhook --group shop --version v1 --kind Game --defaulting",
];

/** Returns the seed of this run: `KUBEWRIGHT_SEED`, or a random one. */
export function seedOf(): number {
  const seed = Number(process.env.KUBEWRIGHT_SEED ?? Math.floor(Math.random() * 2 ** 32));
  process.stderr.write(`KUBEWRIGHT_SEED=${seed}\n`);
  return seed;
}

/** Sets how many attempts a test has made, for the table of attacks. */
export function countAttempts(task: { readonly meta: object }, attempts: number): void {
  (task.meta as { attempts?: number }).attempts = attempts;
}

/** Calls a function with each item, with limited concurrency. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>, width = 3): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
