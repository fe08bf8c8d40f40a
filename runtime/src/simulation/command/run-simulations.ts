import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { realNow } from "../globals.ts";
import type { SimulationReport } from "../report/finding.ts";
import { type CommandSettings, settingsVariable } from "../settings.ts";

/** Options of {@link runSimulations}. */
export interface SimulationOptions {
  /** Number of schedules of each simulation. */
  seeds?: number;
  /** Real time in milliseconds for all simulations. */
  time?: number;
  /** Runs only this seed. */
  seed?: number;
  faults?: readonly string[];
  /** Whether to report progress. */
  progress?: boolean;
}

/** Findings of the simulations, and reasons why files didn't run. */
export interface SimulationOutcome extends SimulationReport {
  files: number;
  problems: string[];
}

/** Report of one simulation. */
interface Line extends SimulationReport {
  name: string;
  next: number | null;
}

const include = "src/**/*.simulation.ts";

/** The part of Vitest's API that runs the files. */
interface VitestNode {
  startVitest(mode: "test", filters: string[], options: object): Promise<Vitest | undefined>;
}

interface Vitest {
  state: { getTestModules(): TestModule[] };
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
 * @returns what was found
 * @throws Error if Vitest isn't installed
 */
export async function runSimulations(
  options: SimulationOptions,
  print: (line: string) => void,
): Promise<SimulationOutcome> {
  const started = realNow();
  const directory = mkdtempSync(join(tmpdir(), "simulation-"));
  const lines: Line[] = [];
  const next: Record<string, number | null> = {};
  const elapsed = (): number => realNow() - started;
  try {
    for (;;) {
      // The time limits of tests end a run of the files, so a longer simulation takes several runs.
      const running = Math.max(1, Object.values(next).filter((seed) => seed !== null).length);
      const settings: CommandSettings = {
        ...(options.seed === undefined ? {} : { seed: options.seed }),
        ...(options.faults ? { faults: options.faults } : {}),
        seeds: options.time === undefined ? (options.seeds ?? 200) : (options.seeds ?? Number.MAX_SAFE_INTEGER),
        ...(options.time === undefined ? {} : { budget: Math.max(0, options.time - elapsed()) / running }),
        next,
        report: join(directory, `report-${lines.length}`),
      };
      writeFileSync(settings.report, "");
      const { files, problems } = await runFiles(settings);
      const added = readLines(settings.report);
      lines.push(...added);
      for (const line of added) next[line.name] = line.next;
      if (options.progress) print(progressOf(lines, elapsed()));
      const isDone = Object.values(next).every((seed) => seed === null);
      const isLate = options.time !== undefined && elapsed() >= options.time - 500;
      if (problems.length > 0 || added.length === 0 || isDone || isLate) {
        return { ...total(lines, elapsed()), files, problems };
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runFiles(settings: CommandSettings): Promise<{ files: number; problems: string[] }> {
  const root = process.cwd();
  const { startVitest } = await loadVitest(root);
  const exitCode = process.exitCode;
  const vitest = await startVitest("test", [], {
    watch: false,
    root,
    // Vitest would use the configuration of a directory above, whose files are others.
    ...(hasOwnConfig(root) ? {} : { config: false }),
    include: [include],
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
  await vitest?.close();
  return { files: modules.length, problems };
}

function hasOwnConfig(root: string): boolean {
  return readdirSync(root).some((file) => /^vite(st)?\.config\.[cm]?[jt]s$/.test(file));
}

async function loadVitest(root: string): Promise<VitestNode> {
  const { resolve } = createRequire(join(root, "package.json"));
  let path: string;
  try {
    path = resolve("vitest/node");
  } catch {
    throw new Error("vitest isn't installed in the project: run npm install");
  }
  return (await import(pathToFileURL(path).href)) as VitestNode;
}

function readLines(path: string): Line[] {
  if (!existsSync(path)) return [];
  const root = process.cwd();
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((text) => {
      const line = JSON.parse(text) as Line;
      for (const finding of line.findings) if (finding.file) finding.file = relative(root, finding.file);
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
    findings: lines.flatMap(({ findings }) => findings),
  };
}

function progressOf(lines: readonly Line[], milliseconds: number): string {
  const { schedules, findings } = total(lines, milliseconds);
  const found = `${findings.length} finding${findings.length === 1 ? "" : "s"}`;
  return `${schedules} schedules in ${Math.round(milliseconds / 1000)} s, ${found}`;
}
