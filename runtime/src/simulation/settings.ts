/** Settings that `scaffold simulate` passes to the simulations of the files that it runs, in an environment variable. */
export interface CommandSettings {
  /** Only this seed. */
  seed?: number;
  /** The last seed. */
  seeds: number;
  /** Real time in milliseconds after which a simulation begins no further schedule. */
  budget: number;
  /** The faults that may happen. */
  faults?: readonly string[];
  /** The next seed of each simulation that has begun, by its name. Undefined values end a simulation. */
  next: Readonly<Record<string, number | null>>;
  /** File to which each simulation appends its report as one line of JSON. */
  report: string;
}

/** Name of the environment variable. */
export const settingsVariable = "KUBEWRIGHT_SIMULATION";

/** Reads the settings of the command. Undefined if a test runner has started the file. */
export function readSettings(): CommandSettings | undefined {
  const text = process.env[settingsVariable];
  return text ? (JSON.parse(text) as CommandSettings) : undefined;
}

/** Returns the test that runs now, as far as the test runner reports it. */
export function currentTest(): { file: string; test: string } {
  const worker = (globalThis as { __vitest_worker__?: VitestWorker }).__vitest_worker__;
  return { file: worker?.filepath ?? "", test: worker?.current?.name ?? "" };
}

interface VitestWorker {
  filepath?: string;
  current?: { name?: string };
}

/** How often a test has called {@link simulationName}. */
const calls = new Map<string, number>();

/** Names the simulation that begins now: a test can contain several. */
export function simulationName(): string {
  const { file, test } = currentTest();
  const name = `${file} ${test}`;
  const number = calls.get(name) ?? 0;
  calls.set(name, number + 1);
  return number === 0 ? name : `${name} #${number + 1}`;
}
