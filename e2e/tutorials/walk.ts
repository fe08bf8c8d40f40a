import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { kubectlPath } from "../../scripts/test-support/kubectl.ts";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { checkout, scaffold, scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";

/** The directory of the outputs in the tutorials. `vitest -u` writes them. */
const shown = join(checkout, "testdata/tutorials");

/** Follows a tutorial in a project, as a reader would, and compares the outputs with those on its page. */
export class Walk {
  readonly root: string;
  readonly #name: string;
  readonly #processes: Background[] = [];
  readonly #ids = new Map<string, string>();
  #dev: Background | undefined;

  /**
   * @param name - the directory of its outputs in testdata/tutorials
   * @param project - the name of the project's directory
   */
  constructor(name: string, project: string) {
    this.#name = name;
    this.root = join(realpathSync(mkdtempSync(join(tmpdir(), "kubewright-tutorial-"))), project);
    mkdirSync(this.root);
  }

  /** Runs calls of `scaffold`, and returns the output of the last one. */
  async scaffold(...calls: string[]): Promise<string> {
    let output = "";
    for (const call of calls) {
      const words = call.split(" ");
      const { stdout } = await scaffold(
        this.root,
        ...words,
        ...(/^(init|create project)\b/.test(call) ? ["--fetch-deps=false"] : []),
      );
      output = stdout;
    }
    return output;
  }

  /** Runs a script of the project, and returns its output. */
  async npm(script: string): Promise<string> {
    const { output } = await must("npm", ["run", script], { cwd: this.root, env: { NO_COLOR: "1" } });
    return output;
  }

  /** Adds the packages of the project, and more by name, in the versions of this checkout. */
  async install(...names: string[]): Promise<void> {
    const path = join(this.root, "package.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    const { devDependencies } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
    for (const name of names) manifest.dependencies[name] = devDependencies[name];
    writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
    await linkPackages(this.root);
  }

  /** Copies files of the repository into the project. */
  take(from: string, to = "."): void {
    cpSync(join(checkout, from), join(this.root, to), { recursive: true });
  }

  /** Starts `scaffold dev`, and waits until it is ready. */
  async dev(env: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#dev = this.start([scaffoldBin, "dev"], env);
    await this.#dev.prints("started the manager");
  }

  /**
   * Compares what the session has printed until it was ready with the output on the page.
   *
   * @param sample - the object that the session creates, such as `Game default/game-sample`
   */
  async showsStart(sample: string): Promise<void> {
    const start = new RegExp(`^[\\s\\S]*created ${sample}[\\s\\S]*KUBECONFIG=.*\\n`);
    await eventually(() => expect(this.output).toMatch(start));
    // The first reconcile may fail before or after the session is ready. A frame of code follows its error.
    const [output = ""] = start.exec(this.output) ?? [];
    await this.shows("start", Walk.lines(output, /^(?!.*(reconciled|failed|debug|info|error)|\s+(> *)?\d* *\|)/));
  }

  /** Runs the tests and the simulations of the project, and compares their results with those on the page. */
  async showsTests(): Promise<void> {
    await this.shows("test", Walk.lines(await this.npm("test"), /Tests /));
    const { stdout } = await scaffold(this.root, "simulate", "--seeds", "20");
    await this.shows("simulated", Walk.lines(stdout, /^(schedules|findings)/));
  }

  /** Ends the session. */
  async stopDev(): Promise<void> {
    await this.#dev?.stop();
  }

  /** Starts a program of Node in the project. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Background {
    const started = new Background(args, this.root, env);
    this.#processes.push(started);
    return started;
  }

  /** Runs a step, and waits until the session prints a text. Returns its output since then. */
  async during(text: string | RegExp, step: () => Promise<unknown> | unknown): Promise<string> {
    if (!this.#dev) throw new Error("scaffold dev doesn't run");
    const before = this.#dev.output.length;
    await step();
    await this.#dev.prints(text, before);
    return this.#dev.output.slice(before);
  }

  /** Returns everything that the session has printed. */
  get output(): string {
    return this.#dev?.output ?? "";
  }

  /** Runs `kubectl` with the kubeconfig of the session. */
  async kubectl(...args: string[]): Promise<string> {
    const env = { KUBECONFIG: join(this.root, ".kubewright/dev.kubeconfig") };
    return (await must(kubectlPath(), args, { cwd: this.root, env })).stdout;
  }

  /** Runs `kubectl`, and returns its error. */
  async failing(...args: string[]): Promise<string> {
    const env = { KUBECONFIG: join(this.root, ".kubewright/dev.kubeconfig") };
    const { code, stderr } = await run(kubectlPath(), args, { cwd: this.root, env });
    expect(code).not.toBe(0);
    return stderr;
  }

  /** Runs a subcommand of `scaffold dev`. */
  async ask(...args: string[]): Promise<string> {
    return (await scaffold(this.root, "dev", ...args)).stdout;
  }

  /** Returns the lines of an output that match. */
  static lines(output: string, pattern: RegExp): string {
    return output
      .split("\n")
      .filter((line) => pattern.test(line))
      .join("\n");
  }

  /** Compares an output with the one on the page, without values that differ in each run. */
  async shows(file: string, output: string): Promise<void> {
    await expect(`${this.#settled(output)}\n`).toMatchFileSnapshot(join(shown, this.#name, `${file}.txt`));
  }

  /** Waits until an output equals the one on the page. If that is to be written again, it must only match. */
  async becomes(file: string, read: () => Promise<string>, wanted: RegExp): Promise<void> {
    const page = join(shown, this.#name, `${file}.txt`);
    const expected = existsSync(page) ? readFileSync(page, "utf8") : undefined;
    let output = "";
    await eventually(async () => {
      output = await read();
      expect(output).toMatch(wanted);
      if (expected !== undefined) expect(`${this.#settled(output)}\n`).toBe(expected);
    }).catch((error) => {
      if (!wanted.test(output)) throw error;
    });
    await this.shows(file, output);
  }

  async end(): Promise<void> {
    for (const background of this.#processes.reverse()) await background.stop();
    rmSync(dirname(this.root), { recursive: true, force: true });
  }

  #settled(output: string): string {
    return (
      output
        .trim()
        .replaceAll(this.root, `/home/you/${basename(this.root)}`)
        .replace(/'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ'/g, "'2026-05-04T09:15:00Z'")
        .replace(/\b\d\d:\d\d:\d\d(\.\d{3})?/g, (_, fraction) => `09:15:00${fraction ? ".000" : ""}`)
        // A busy machine can report a start twice.
        .replace(/^(.* started the manager .*\n)(?=.* started the manager )/gm, "")
        // A delay is measured from the end of the reconcile, so the remaining time can be some milliseconds less.
        .replace(/(?<=requeued after )\d+(?= ms)/g, (delay) => String(Math.round(Number(delay) / 100) * 100))
        .replace(/(requeued after |retry \d+ after )?[\d.]+ ms/g, (text, delay) => (delay ? text : "… ms"))
        // Names of ReplicaSets and Pods, and ages.
        .replace(/(ReplicaSet \S+?)-[0-9a-z]{8,10}\b/g, "$1-5d8c7b9f4f")
        .replace(/(Pod \S+?)-[0-9a-z]{8,10}-[0-9a-z]{5}\b/g, "$1-5d8c7b9f4f-x7k2p")
        .replace(/\b\d+m?\d*s$/gm, "5s")
        .replace(/\bin [\d.]+ s\b/g, "in … s")
        .replace(/process \d+/g, "process 12345")
        .replace(/127\.0\.0\.1:\d{5}\/\?token=[\w-]+/g, "127.0.0.1:40123/?token=…")
        .replace(
          /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
          "2f1f7d3c-6b3f-4d57-9a3d-0f6a5e0c1b7e",
        )
        .replace(/\br-[0-9a-f]{8}/g, (id) => this.#idFor(id))
    );
  }

  /** Returns the same id for the same id. */
  #idFor(id: string): string {
    const newId = this.#ids.get(id) ?? `r-4be61d0${this.#ids.size + 1}`;
    this.#ids.set(id, newId);
    return newId;
  }
}

/** A program that runs during a tutorial. */
export class Background {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  output = "";

  constructor(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, args, { cwd, env: { ...process.env, NO_COLOR: "1", ...env } });
    const add = (chunk: Buffer): void => {
      this.output += chunk;
    };
    this.#child.stdout?.on("data", add);
    this.#child.stderr?.on("data", add);
    this.#ended = new Promise((resolve) => this.#child.once("close", resolve));
  }

  /** Waits until the program has printed a text, after the first `from` characters. */
  prints(text: string | RegExp, from = 0): Promise<void> {
    return eventually(() => expect(this.output.slice(from)).toMatch(text));
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#ended;
  }
}
