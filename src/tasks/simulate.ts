import process from "node:process";
import type { Replay } from "@kubewright/dashboard/protocol";
import { run } from "../programs/run.ts";
import { ProblemError } from "../project/problem-error.ts";
import { runtimeProgram } from "./programs.ts";

/** Options of {@link simulateProject}. */
export interface SimulateProject {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Number of schedules of each simulation. */
  readonly seeds?: number;
  /** Time in milliseconds for all simulations. */
  readonly time?: number;
  readonly seed?: number;
  readonly faults?: readonly string[];
  /** The old versions of the operator, oldest first: directories and revisions. */
  readonly from?: readonly string[];
  /** For each old version, the file or directory with its CRDs. */
  readonly fromCrds?: readonly string[];
  /** Whether to install the packages of the old lock files. */
  readonly fromInstall?: boolean;
  /** Whether to run `src/main.ts` of all versions. */
  readonly program?: boolean;
  /** The ways in which upgrades happen. */
  readonly upgrades?: readonly string[];
  /** Whether to print progress. */
  readonly progress: boolean;
  /** Returns the objects of `config/default` in the directory of a version; undefined if it doesn't exist. */
  readonly manifests: (directory: string) => readonly object[] | undefined;
}

/** Findings of the simulations. */
export interface SimulationOutcome extends Omit<Replay, "source"> {
  /** Number of files with simulations. */
  readonly files: number;
  /** Why files or tests didn't run. */
  readonly problems: readonly string[];
  /** The timelines of the findings for people, in lines. */
  readonly timelines: readonly (readonly string[])[];
  /** The messages of the findings for people, in lines. Older versions of the runtime don't report them. */
  readonly messages?: readonly (readonly string[])[];
  /** Facts for users that break no rule. */
  readonly notes: readonly string[];
}

/** A mistake in the flags, which the runtime has found. */
export class SimulationUsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint: string | undefined) {
    super(message);
    this.hint = hint;
  }
}

interface FailedOutcome {
  readonly error: string;
  readonly isUsage?: boolean;
  readonly hint?: string;
}

/**
 * Runs the simulations of a project with its own runtime, in a process of their own.
 *
 * @throws SimulationUsageError for old versions that aren't found
 * @throws ProblemError if the runtime isn't installed or has no simulation, or the process fails
 */
export async function simulateProject(options: SimulateProject): Promise<SimulationOutcome> {
  const { root, env, signal, manifests, ...passed } = options;
  signal.throwIfAborted();
  let outcome: SimulationOutcome | FailedOutcome | undefined;
  const { exitCode } = await run(
    process.execPath,
    [runtimeProgram(root, "simulation", "main.js"), JSON.stringify(passed)],
    {
      cwd: root,
      env,
      stdout: "stderr",
      stderr: "inherit",
      signal,
      onAbort: () => "SIGTERM",
      onMessage: (message, answer) => {
        const { build } = message as { readonly build?: string };
        if (build === undefined) outcome = message as typeof outcome;
        else answer(builtManifests(build, manifests));
      },
    },
  );
  if (outcome === undefined) {
    throw new ProblemError(
      "program-failed",
      `the process of the simulations ended with exit code ${exitCode ?? "none"}`,
    );
  }
  if ("error" in outcome) {
    if (outcome.isUsage) throw new SimulationUsageError(outcome.error, outcome.hint);
    throw new ProblemError("program-failed", `simulations: ${outcome.error}`);
  }
  return outcome;
}

function builtManifests(directory: string, manifests: SimulateProject["manifests"]): object {
  try {
    const objects = manifests(directory);
    return objects ? { objects } : {};
  } catch (error) {
    return { error: (error as Error).message };
  }
}
