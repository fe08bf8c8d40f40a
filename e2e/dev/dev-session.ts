import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { expectOutput } from "../../scripts/test-support/output-schema.ts";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { checkout, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { createApi, initProject } from "../lib/game.ts";

/** A line of `scaffold dev --json`. */
export interface Line {
  readonly event: string;
  readonly time: string;
  readonly [key: string]: unknown;
}

/** Scaffolds the Game of the tutorial, and installs its packages. */
export async function gameProject(): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-dev-")));
  await initProject(root);
  await createApi(root);
  cpSync(join(checkout, "examples", "game"), root, { recursive: true });
  await linkPackages(root);
  return root;
}

/** A running `scaffold dev --json`. */
export class Dev {
  readonly root: string;
  readonly child: ChildProcess;
  readonly lines: Line[] = [];
  readonly ended: Promise<number | null>;
  errors = "";
  #rest = "";

  constructor(root: string, env: Record<string, string> = {}, ...flags: string[]) {
    this.root = root;
    this.child = spawn(process.execPath, [scaffoldBin, "dev", "--json", ...flags], {
      cwd: root,
      detached: true,
      env: { ...process.env, ...env },
    });
    this.child.stdout?.on("data", (chunk: Buffer) => {
      this.#rest += chunk;
      const lines = this.#rest.split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.lines.push(JSON.parse(line) as Line);
    });
    this.child.stderr?.on("data", (chunk: Buffer) => {
      this.errors += chunk;
    });
    this.ended = new Promise((resolve) => this.child.once("close", (code) => resolve(code)));
  }

  /** Waits for an event after the given number of lines. */
  async event(name: string, wanted: (line: Line) => boolean = () => true, after = 0): Promise<Line> {
    let matching: Line | undefined;
    await eventually(() => {
      matching = this.lines.slice(after).find((line) => line.event === name && wanted(line));
      expect(matching, `${name}: ${JSON.stringify(this.lines.slice(after))}\n${this.errors}`).toBeDefined();
    }, 60_000);
    return matching as Line;
  }

  /** Replaces a text in a file, and returns the number of lines before. */
  edit(file: string, from: string, to: string): number {
    const path = join(this.root, file);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(from);
    const { length } = this.lines;
    writeFileSync(path, text.replace(from, to));
    return length;
  }

  /** Runs a subcommand, and returns its JSON. */
  async ask<T>(...args: string[]): Promise<T> {
    const { stdout, stderr, code } = await run(process.execPath, [scaffoldBin, "dev", ...args, "--json"], {
      cwd: this.root,
    });
    expect(code, stderr).toBe(0);
    const answer = JSON.parse(stdout) as T;
    expectOutput(`dev ${args[0]}`, answer);
    return answer;
  }

  /** Ends the session if it runs, and removes its project. Expects that all lines fit the published schema. */
  async remove(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.ended;
    for (const line of this.lines) expectOutput("dev", line);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Returns the processes whose command line contains a text. */
export async function processesWith(text: string): Promise<string[]> {
  const { stdout } = await run("ps", ["-eo", "pid,args"], {});
  return stdout.split("\n").filter((line) => line.includes(text) && !line.includes("ps -eo"));
}
