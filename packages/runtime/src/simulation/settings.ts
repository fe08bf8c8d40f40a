import { realDate } from "./globals.ts";
import type { ResolvedVersion } from "./old-versions/resolve-versions.ts";

/** Settings that `scaffold simulate` passes to the simulations of the files that it runs, in an environment variable. */
export interface CommandSettings {
  /** Only this seed. */
  seed?: number;
  /** The last seed. */
  seeds: number;
  /** Real time in milliseconds after which a simulation begins no further schedule. Undefined for as long as its test may take. */
  budget?: number;
  /** Time of the wall clock in milliseconds since 1970 at which the command must end. */
  deadline?: number;
  /** The faults that may happen. */
  faults?: readonly string[];
  /** The old versions of the operator, oldest first. */
  from?: readonly ResolvedVersion[];
  /** Whether the main programs of all versions run in place of the functions of simulations. */
  program?: boolean;
  /** The flags about upgrades with which the command runs a schedule again. */
  flags?: string;
  /** The ways in which upgrades happen. */
  upgrades?: readonly string[];
  /** The seeds of this process: each `count`-th one, from the seed `index` + 1 on. Several processes share the seeds. */
  share: { index: number; count: number };
  /** The next seed of each simulation that has begun, by its name. `null` ends a simulation. */
  next: Readonly<Record<string, number | null>>;
  /** How often the process has called the present test again. */
  repetition?: number;
  /** File to which each simulation appends its report as one line of JSON. */
  report: string;
  /** Address of the module of Vitest with its test runner, if it exports one. */
  vitest?: string;
  /** Directory in which the processes note the seeds of findings, so that no process runs higher seeds. */
  found: string;
}

/** The end of the names of files that `scaffold simulate` runs. */
export const suffix = ".simulation.ts";

/** Name of the environment variable. */
export const settingsVariable = "KUBEWRIGHT_SIMULATION";

/** Reads the settings of the command. Undefined if a test runner has started the file. */
export function readSettings(): CommandSettings | undefined {
  const text = process.env[settingsVariable];
  return text ? (JSON.parse(text) as CommandSettings) : undefined;
}

/** Notes with which seed a simulation continues, for its next call in this process. */
export function continueWith(settings: CommandSettings, name: string, next: number | null): void {
  changeSettings({ ...settings, next: { ...settings.next, [name]: next } });
}

/** Changes the settings of this process. */
export function changeSettings(settings: CommandSettings): void {
  process.env[settingsVariable] = JSON.stringify(settings);
}

/** Returns the test that runs now, as far as the test runner reports it. */
export function currentTest(): { file: string; test: string } {
  const { filepath = "", current } = worker() ?? {};
  return { file: filepath, test: current?.name ?? "" };
}

/** Returns the name of the first simulation of the test that runs now. Further ones have a number behind it. */
export function currentName(): string {
  const { file, test } = currentTest();
  return `${file} ${test}`;
}

interface VitestWorker {
  filepath?: string;
  current?: { name?: string; timeout?: number };
}

function worker(): VitestWorker | undefined {
  return (globalThis as { __vitest_worker__?: VitestWorker }).__vitest_worker__;
}

/** How often a test has called {@link beginSimulation} in this repetition. */
const calls = new Map<string, number>();
let lastRepetition = 0;

/** Time if the test runner doesn't report the limit of the test: a quarter of that of scaffolded tests. */
const unknownLimit = 15_000;
/** The command reports its progress at least this often. */
const longestTime = 30_000;
/** The share of its limit that the first simulation of a test takes. Each further one takes half of the one before. */
const firstShare = 0.4;

/**
 * Begins a simulation of the command.
 *
 * @param settings - the settings
 * @returns its name, since a test can contain several, and the real time in milliseconds that the settings and the limit of the test leave it
 */
export function beginSimulation(settings: CommandSettings): { name: string; time: number } {
  const { budget, deadline, repetition = 0 } = settings;
  const name = currentName();
  if (repetition !== lastRepetition) calls.clear();
  lastRepetition = repetition;
  const number = calls.get(name) ?? 0;
  calls.set(name, number + 1);
  const limit = worker()?.current?.timeout;
  const share = limit === 0 ? longestTime : limit === undefined ? unknownLimit : (limit * firstShare) / 2 ** number;
  const left = deadline === undefined ? longestTime : deadline - realDate();
  const time = Math.min(longestTime, share, left, budget ?? longestTime);
  return { name: number === 0 ? name : `${name} #${number + 1}`, time };
}
