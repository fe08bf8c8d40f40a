// Runs all benchmarks: npm run bench [-- --help]
// Exits 1 if a part could not be measured. The page lists missed limits; with --check they are errors, too.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root, since } from "../scripts/lib/run.mjs";
import { testServers } from "../scripts/lib/test-servers.mjs";
import { findControllerGen, installControllerGen } from "./lib/controller-gen.ts";
import { machineFacts } from "./lib/machine.ts";
import { chartFiles, render, withResults } from "./lib/page.ts";
import type { Results } from "./lib/results.ts";
import { type Part, parts } from "./parts.ts";

const names = parts.map(({ name }) => name).join(",");
const regular = parts.filter(({ onRequest }) => !onRequest).map(({ name }) => name);
const usage = `npm run bench [-- FLAGS]

Measures ${regular}, one after another: about an hour on a machine that has nothing else to do.
--only soak runs an operator for two hours.
When all are over the results go to bench/results.md, with their charts; parts that were not run keep theirs.

  --only PARTS   some of them, with commas between
  --found PART=FILE
                 takes the results of a part from a file that its program wrote with --json, and runs nothing
  --out FILE     another file for the page, with its charts in a folder beside it
  --check        exits with 1 if a limit is missed; the page goes to the temporary directory
  --quick        only tries whether everything runs, in a few minutes; the page goes to the temporary directory
  --help         this text

Needs a built checkout (npm run build). Linux, Go and controller-gen are used if available; omitted parts are reported.
`;

interface Flags {
  readonly check: boolean;
  readonly quick: boolean;
  /** The names of the parts. */
  readonly only: readonly string[];
  /** The file with the results of the only part. */
  readonly found?: string;
  readonly out?: string;
}

function readFlags(): Flags {
  try {
    const { values } = parseArgs({
      options: {
        check: { type: "boolean", default: false },
        quick: { type: "boolean", default: false },
        only: { type: "string", default: regular.join(",") },
        found: { type: "string" },
        out: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return leave(0, usage);
    const earlier = values.found === undefined ? undefined : readFound(values.found);
    const only = earlier === undefined ? values.only.split(",") : [earlier.part];
    const unknown = only.filter((name) => !parts.some((part) => part.name === name));
    if (unknown.length > 0) return leave(2, `--only ${unknown}: must be some of ${names}\n`);
    if (earlier === undefined && !existsSync(join(root, "dist")))
      return leave(1, "nothing is built here: npm run build comes first\n");
    return { ...values, only, found: earlier?.file };
  } catch (error) {
    return leave(2, `${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

/** Parses `--found PART=FILE`. */
function readFound(argument: string): { part: string; file: string } {
  const [part = ""] = argument.split("=", 1);
  const file = argument.slice(part.length + 1);
  if (!existsSync(file)) return leave(2, `--found ${argument}: must be PART=FILE, and the file must exist\n`);
  return { part, file };
}

function leave(code: number, text: string): never {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}

const flags = readFlags();

const published = join(root, "bench/results.md");
const out = resolve(flags.out ?? (flags.quick || flags.check ? join(tmpdir(), "kubewright-benchmarks.md") : published));
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
const quickMinutes = 10;
const say = (text: string): boolean => process.stderr.write(`${text}\n`);

/** Returns the needs of a part that this machine doesn't meet. */
function lacking({ needs }: Part, servers: string | undefined): string[] {
  const met = { linux: process.platform === "linux", servers: servers !== undefined };
  const names = { linux: "Linux (/proc)", servers: "etcd and kube-apiserver" };
  return needs.filter((need) => !met[need]).map((need) => names[need]);
}

/** Runs a part and its child processes to the end or its time limit. Resolves to its results, and the reason if it failed. */
function measure(part: Part, env: NodeJS.ProcessEnv): Promise<{ found?: Results; why?: string }> {
  const minutes = flags.quick ? quickMinutes : part.minutes;
  const report = join(scratch, `${part.name}.json`);
  const args = ["--import", "tsx", part.program, ...part[flags.quick ? "quick" : "full"], "--json", report];
  const start = performance.now();
  say(`\n${part.name}: at most ${minutes} minutes`);
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
      detached: true,
    });
    let why: string | undefined;
    const end = (reason: string): void => {
      why ??= reason;
      signalGroup(child, "SIGTERM");
      setTimeout(() => signalGroup(child, "SIGKILL"), 10_000).unref();
    };
    const limit = setTimeout(() => end(`it took more than ${minutes} minutes`), minutes * 60_000);
    const beat = setInterval(() => say(`${part.name}: ${since(start)} …`), 30_000);
    const stop = (): void => end("interrupted");
    process.once("SIGINT", stop).once("SIGTERM", stop);
    child.on("error", (error) => end(error.message));
    child.on("close", (code) => {
      clearTimeout(limit);
      clearInterval(beat);
      process.off("SIGINT", stop).off("SIGTERM", stop);
      // Servers that are still running would interfere with the next part.
      signalGroup(child, "SIGKILL");
      const written = existsSync(report) ? readResults(report) : undefined;
      if (written === undefined) why ??= `it ended with ${code} and without results`;
      // A part also exits with 1 if it misses a limit.
      else if (code !== 0 && written.missed.length === 0) why ??= `it ended with ${code}`;
      say(`${part.name}: ${why ?? "done"}, after ${since(start)}`);
      done({ found: written, why });
    });
  });
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
}

function readResults(file: string): Results {
  return JSON.parse(readFileSync(file, "utf8")) as Results;
}

/** The results of a part, with the reason if they are incomplete. */
interface Measured {
  readonly name: string;
  readonly found: Results;
  readonly cut?: string;
}

/** Reads the results of an earlier run. The file of an interrupted soak has its samples, but no table of results. */
function foundBefore(name: string, file: string): Measured {
  const earlier = readResults(file);
  const cut = name === "soak" && earlier.tables.length === 1 ? "interrupted" : undefined;
  return { name, found: earlier, cut };
}

/** Writes the page and the charts of all measurements. */
function publish(results: readonly Measured[], facts: string): void {
  const date = new Date().toISOString().slice(0, 10);
  let page = readFileSync(published, "utf8");
  for (const { name, found, cut } of results) {
    const files = chartFiles(basename(out, ".md"), name, found);
    page = withResults(page, name, render(found, { date, facts, quick: flags.quick, cut, files }));
    for (const { path, text } of files) {
      mkdirSync(dirname(join(dirname(out), path)), { recursive: true });
      writeFileSync(join(dirname(out), path), text);
    }
  }
  writeFileSync(out, page);
  say(`\n${out}`);
}

async function run(): Promise<void> {
  const wanted = parts.filter(({ name }) => flags.only.includes(name));
  const servers = wanted.some(({ needs }) => needs.includes("servers")) ? await testServers() : undefined;
  const generator = findControllerGen() ?? (await installControllerGen());
  const env = {
    ...(servers === undefined ? {} : { KUBEBUILDER_ASSETS: servers }),
    ...(generator === undefined ? {} : { CONTROLLER_GEN: generator }),
  };
  const failed: string[] = [];
  const results: Measured[] = [];
  // Before the first part, so that the load of the parts isn't included.
  const facts = machineFacts();
  for (const part of wanted) {
    const lacks = lacking(part, servers);
    const { found, why }: { found?: Results; why?: string } =
      lacks.length > 0 ? { why: `left out, it needs ${lacks.join(" and ")}` } : await measure(part, env);
    if (why !== undefined) failed.push(`${part.name}: ${why}`);
    if (found !== undefined) results.push({ name: part.name, found, cut: why });
    if (why === "interrupted") break;
  }
  if (results.length > 0) publish(results, facts);
  for (const line of failed) say(`not measured: ${line}`);
  const missed = results.flatMap(({ name, found }) => found.missed.map((text) => `${name}: ${text}`));
  for (const line of missed) say(`limit missed: ${line}`);
  process.exitCode = failed.length > 0 || (flags.check && missed.length > 0) ? 1 : 0;
}

try {
  const { found: file } = flags;
  if (file === undefined) await run();
  else
    publish(
      flags.only.map((name) => foundBefore(name, file)),
      machineFacts(),
    );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
