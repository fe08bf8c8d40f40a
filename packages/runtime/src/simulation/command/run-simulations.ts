import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { systemClock, type Timer } from "../../clock/clock.ts";
import { realDate, realNow } from "../globals.ts";
import { type ResolvedVersion, resolveVersions } from "../old-versions/resolve-versions.ts";
import { describeTimeline, type Finding, type SimulationReport, shownMessage } from "../report/finding.ts";
import { noUpgrades, upgradeVariations } from "../report/upgrade-variation.ts";
import { noFaults } from "../schedule/fault-names.ts";
import { type CommandSettings, settingsVariable, suffix } from "../settings.ts";
import { type BuiltManifests, manifestFindings } from "./manifest-findings.ts";

/** Options of {@link runSimulations}. */
export interface SimulationOptions {
  /** Number of schedules of each simulation. */
  seeds?: number;
  /** Real time in milliseconds for all simulations. */
  time?: number;
  /** Runs only this seed. */
  seed?: number;
  faults?: readonly string[];
  /** The old versions of the operator, oldest first: directories and revisions. */
  from?: readonly string[];
  /** For each old version, the file or directory with its CRDs. */
  fromCrds?: readonly string[];
  /** Whether to install the packages of the lock files of the old versions. */
  fromInstall?: boolean;
  /** Whether the main programs of all versions run in place of the functions of simulations. */
  program?: boolean;
  /** The ways in which upgrades happen. */
  upgrades?: readonly string[];
  /** Number of processes that share the seeds. By default, it depends on the number of processors. */
  processes?: number;
  /** Whether to report progress. */
  progress?: boolean;
}

/** Findings of the simulations, and reasons why files didn't run. */
export interface SimulationOutcome extends SimulationReport {
  files: number;
  problems: string[];
  /** The timelines of the findings for people, in lines. */
  timelines: string[][];
  /** The messages of the findings for people, in lines. */
  messages: string[][];
  /** Facts for users that break no rule. */
  notes: string[];
}

/** Report of one simulation. */
interface Line extends SimulationReport {
  name: string;
  next: number | null;
  notes: string[];
  /** Notes about allowed changes that no upgrade of this call has made. */
  unused?: string[];
}

const include = `src/**/*${suffix}`;
const defaultSeeds = 200;
const mostProcesses = 8;
/** Number of seeds and real time in milliseconds for which another process isn't worth its start. */
const fewestSeeds = 50;
const shortestTime = 5000;
/** Real time in milliseconds between two lines about the progress. */
const progressInterval = 30_000;

/** The part of Vitest's API that runs the files. */
interface VitestNode {
  version: string;
  startVitest(mode: "test", filters: string[], options: object): Promise<Vitest | undefined>;
}

/** Vitest of the project, and the address of the module with its test runner, which versions before 4.1 don't export. */
interface LoadedVitest extends Pick<VitestNode, "startVitest"> {
  index: string | undefined;
}

interface Vitest {
  state: { getTestModules(): TestModule[]; getUnhandledErrors(): unknown[] };
  close(): Promise<void>;
}

interface TestModule {
  moduleId: string;
  errors(): { message: string }[];
  children: {
    allTests(): Iterable<{
      fullName: string;
      result(): { state: string; errors?: { name?: string; message: string }[] };
    }>;
  };
}

/**
 * Runs the simulations of the project in the working directory.
 *
 * @param options - how many schedules
 * @param print - receives lines about the progress
 * @param build - builds the manifests of a version
 * @returns what was found
 * @throws Error if Vitest isn't installed
 */
export async function runSimulations(
  options: SimulationOptions,
  print: (line: string) => void,
  build: (directory: string) => Promise<BuiltManifests>,
): Promise<SimulationOutcome> {
  const started = realNow();
  const directory = mkdtempSync(join(tmpdir(), "simulation-"));
  const lines: Line[] = [];
  const expectedFiles = countFiles();
  const shares = Array.from(
    { length: processCount(options, expectedFiles) },
    (): Record<string, number | null> => ({}),
  );
  const vitest = await loadVitest(process.cwd());
  const from =
    options.from && (await resolveVersions(options.from, options.fromCrds ?? [], process.cwd(), options.fromInstall));
  let files = 0;
  const elapsed = (): number => realNow() - started;
  const reportOf = (round: number, index: number): string => join(directory, `report-${round}-${index}`);
  try {
    for (let round = 0; ; round++) {
      // A simulation that doesn't end in its share of the time continues in another run of the files.
      const ended = reportsProgress(options, () => {
        const begun = shares.flatMap((_, index) => readLines(reportOf(round, index)));
        print(progressOf([...lines, ...begun], elapsed()));
      });
      const results = await Promise.all(
        shares.map(async (next, index) => {
          if (round > 0 && isDone(next)) return { files: 0, problems: [], added: [] };
          const count = Object.values(next).filter((seed) => seed !== null).length;
          const running = Math.max(1, round === 0 ? expectedFiles : count);
          const settings: CommandSettings = {
            ...(options.seed === undefined ? {} : { seed: options.seed }),
            ...(options.faults ? { faults: options.faults } : {}),
            seeds:
              options.time === undefined ? (options.seeds ?? defaultSeeds) : (options.seeds ?? Number.MAX_SAFE_INTEGER),
            ...(options.time === undefined ? {} : limits(options.time - elapsed(), running)),
            ...(from ? { from, flags: flagsOf(options) } : {}),
            ...(options.program ? { program: true } : {}),
            ...(options.upgrades ? { upgrades: options.upgrades } : {}),
            share: { index, count: shares.length },
            next,
            report: reportOf(round, index),
            found: directory,
            ...(vitest.index === undefined ? {} : { vitest: vitest.index }),
          };
          writeFileSync(settings.report, "");
          const { files, problems } = await runFiles(vitest, settings);
          const added = readLines(settings.report);
          for (const line of added) next[line.name] = line.next;
          return { files, problems, added };
        }),
      );
      ended();
      lines.push(...results.flatMap(({ added }) => added));
      if (options.progress) print(progressOf(lines, elapsed()));
      const problems = [...new Set(results.flatMap((result) => result.problems))];
      const hasEnded = shares.every(isDone) || results.every(({ added }) => added.length === 0);
      const isLate = options.time !== undefined && elapsed() >= options.time - 500;
      files = Math.max(files, ...results.map((result) => result.files));
      if (problems.length === 0 && !hasEnded && !isLate) continue;
      // A problem of the files must not hide behind those of the manifests.
      if (problems.length === 0 && from && !options.seed) lines.push(await manifestLine(from, options, build));
      const report = total(lines, elapsed());
      const timelines = report.findings.map(describeTimeline);
      const messages = report.findings.map(shownMessage);
      const notes = [...new Set([...lines.flatMap((line) => line.notes), ...unusedOf(lines)])];
      return { ...report, files, problems, timelines, messages, notes };
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns the report about the manifests, as that of a simulation. */
async function manifestLine(
  from: readonly ResolvedVersion[],
  options: SimulationOptions,
  build: (directory: string) => Promise<BuiltManifests>,
): Promise<Line> {
  const replay = `npx scaffold simulate --seed 0${flagsOf(options)}`;
  const { findings, notes } = await manifestFindings(from, process.cwd(), build, replay);
  return { name: "manifests", next: null, schedules: 0, seconds: 0, faults: noFaults(), findings, notes };
}

/** Calls a function from time to time. Returns a function that ends the calls. */
function reportsProgress({ progress }: SimulationOptions, report: () => void): () => void {
  let timer: Timer | undefined;
  const arm = (): void => {
    timer = systemClock.setTimeout(() => {
      report();
      arm();
    }, progressInterval);
  };
  if (progress) arm();
  return () => systemClock.clearTimeout(timer);
}

/** Returns the flags about upgrades with which a finding can be repeated. */
function flagsOf({ from = [], fromCrds = [], upgrades = [], fromInstall, program }: SimulationOptions): string {
  const flag = (name: string, values: readonly string[]): string =>
    values.length === 0 ? "" : ` --${name} ${values.join(",")}`;
  const switches = `${fromInstall ? " --from-install" : ""}${program ? " --program" : ""}`;
  return `${flag("from", from)}${flag("from-crds", fromCrds)}${switches}${flag("upgrades", upgrades)}`;
}

/** Divides the time that is left in milliseconds among simulations. The start of the test runner takes a part of it. */
function limits(left: number, running: number): Pick<CommandSettings, "budget" | "deadline"> {
  return { budget: Math.max(0, left) / running, deadline: realDate() + left };
}

function isDone(next: Readonly<Record<string, number | null>>): boolean {
  return Object.values(next).every((seed) => seed === null);
}

function countFiles(): number {
  if (!existsSync("src")) return 0;
  return readdirSync("src", { recursive: true }).filter((file) => String(file).endsWith(suffix)).length;
}

/** Number of processes that share the seeds of each simulation. Vitest runs several files at once, each in a process. */
function processCount({ seed, seeds, time, processes }: SimulationOptions, files: number): number {
  if (processes !== undefined) return processes;
  if (seed !== undefined) return 1;
  const byWork = time === undefined ? (seeds ?? defaultSeeds) / fewestSeeds : time / shortestTime;
  return Math.max(
    1,
    Math.min(mostProcesses, Math.floor(availableParallelism() / Math.max(1, files)), Math.floor(byWork)),
  );
}

async function runFiles(
  { startVitest, index }: LoadedVitest,
  settings: CommandSettings,
): Promise<{ files: number; problems: string[] }> {
  const root = process.cwd();
  const exitCode = process.exitCode;
  const vitest = await startVitest("test", [], {
    watch: false,
    root,
    // Vitest would use the configuration of a directory above, whose files are others.
    ...(hasOwnConfig(root) ? {} : { config: false }),
    include: [include],
    ...(index === undefined ? {} : { runner: fileURLToPath(new URL("./runner.js", import.meta.url)) }),
    passWithNoTests: true,
    reporters: [{}],
    silent: true,
    coverage: { enabled: false },
    testTimeout: 0,
    env: { [settingsVariable]: JSON.stringify(settings) },
  });
  process.exitCode = exitCode;
  const problems: string[] = [];
  const modules = vitest?.state.getTestModules() ?? [];
  for (const module of modules) {
    const file = relative(root, module.moduleId);
    for (const { message } of module.errors()) problems.push(`${file}: ${message}`);
    for (const test of module.children.allTests()) {
      for (const { name, message } of test.result().errors ?? []) {
        if (name !== "SimulationError") problems.push(`${file}: ${test.fullName}: ${message}`);
      }
    }
  }
  // Such as a full disk: no file was read then.
  if (modules.length === 0) {
    for (const error of vitest?.state.getUnhandledErrors() ?? []) problems.push((error as Error).message);
  }
  await vitest?.close();
  return { files: modules.length, problems };
}

function hasOwnConfig(root: string): boolean {
  return readdirSync(root).some((file) => /^vite(st)?\.config\.[cm]?[jt]s$/.test(file));
}

async function loadVitest(root: string): Promise<LoadedVitest> {
  const { resolve } = createRequire(join(root, "package.json"));
  let path: string;
  try {
    path = resolve("vitest/node");
  } catch {
    throw new Error("vitest isn't installed in the project: run npm install");
  }
  const node = pathToFileURL(path);
  const { startVitest, version } = (await import(node.href)) as VitestNode;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const exportsRunner = major > 4 || (major === 4 && minor >= 1);
  return { startVitest, index: exportsRunner ? new URL("index.js", node).href : undefined };
}

function readLines(path: string): Line[] {
  if (!existsSync(path)) return [];
  const root = process.cwd();
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((text) => {
      const line = JSON.parse(text) as Line;
      for (const finding of [...line.findings, ...(line.changes ?? [])])
        if (finding.file) finding.file = relative(root, finding.file);
      return line;
    });
}

function total(lines: readonly Line[], milliseconds: number): SimulationReport {
  const faults: Record<string, number> = {};
  for (const line of lines) {
    for (const [name, count] of Object.entries(line.faults)) faults[name] = (faults[name] ?? 0) + count;
  }
  return {
    schedules: lines.reduce((sum, { schedules }) => sum + schedules, 0),
    seconds: Math.round(milliseconds / 100) / 10,
    faults: faults as SimulationReport["faults"],
    findings: firstFindings(lines),
    ...upgradesOf(lines),
  };
}

/** Combines what simulations report about upgrades. */
function upgradesOf(lines: readonly Line[]): Pick<SimulationReport, "from" | "upgrades" | "changes"> {
  const reports = lines.filter((line) => line.from !== undefined);
  if (reports.length === 0) return {};
  const upgrades = noUpgrades();
  for (const line of reports) for (const name of upgradeVariations) upgrades[name] += line.upgrades?.[name] ?? 0;
  const distinct = <T>(values: readonly T[]): T[] =>
    [...new Set(values.map((value) => JSON.stringify(value)))].map((text) => JSON.parse(text) as T);
  return {
    from: distinct(reports.flatMap((line) => line.from ?? [])),
    upgrades,
    changes: distinct(reports.flatMap((line) => line.changes ?? [])),
  };
}

/** Returns the notes about allowed changes that no call of a simulation has made. */
function unusedOf(lines: readonly Line[]): string[] {
  const byName = new Map<string, string[]>();
  for (const { name, unused = [] } of lines) {
    byName.set(name, byName.get(name)?.filter((note) => unused.includes(note)) ?? unused);
  }
  return [...byName.values()].flat();
}

/** Several processes can have a finding of one simulation. The one with the lowest seed doesn't depend on their number. */
function firstFindings(lines: readonly Line[]): Finding[] {
  const byCheck = new Map<string, Finding>();
  for (const { name, findings } of lines) {
    for (const finding of findings) {
      const earlier = byCheck.get(name);
      if (!earlier || finding.seed < earlier.seed) byCheck.set(name, finding);
    }
  }
  return [...byCheck.values()];
}

function progressOf(lines: readonly Line[], milliseconds: number): string {
  const { schedules, findings } = total(lines, milliseconds);
  const count = `${findings.length} finding${findings.length === 1 ? "" : "s"}`;
  return `${schedules} schedules in ${Math.round(milliseconds / 1000)} s, ${count}`;
}
