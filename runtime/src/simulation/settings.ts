/** What `scaffold simulate` passes to the simulations of the files that it runs, in an environment variable. */
export interface CommandSettings {
  /** Only this seed. */
  seed?: number;
  /** The first seed. */
  first?: number;
  /** Number of seeds. */
  seeds?: number;
  /** Real time in milliseconds since 1970 at which no further schedule begins. */
  until?: number;
  faults?: string[];
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

/** The test that runs now, as far as the test runner tells. */
export function currentTest(): { file: string; test: string } {
  const worker = (globalThis as { __vitest_worker__?: VitestWorker }).__vitest_worker__;
  return { file: worker?.filepath ?? "", test: worker?.current?.name ?? "" };
}

interface VitestWorker {
  filepath?: string;
  current?: { name?: string };
}
