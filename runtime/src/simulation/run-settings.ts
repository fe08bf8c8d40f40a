import type { Baseline } from "./checks/run-checks.ts";
import type { Violation } from "./checks/settled.ts";
import type { FaultName } from "./faults/names.ts";
import type { Prepared } from "./prepare.ts";
import type { Timeline } from "./report/timeline.ts";
import type { Decisions } from "./schedule/choices.ts";

/** Settings of one run. */
export interface RunSettings {
  prepared: Prepared;
  seed: number;
  faults: readonly FaultName[];
  /** Another value gives other random numbers, names and times, on which a correct operator doesn't depend. */
  nature?: number;
  /** Decisions to repeat. */
  decisions?: Decisions;
  /** The states of the run without faults. */
  expected?: Baseline;
}

/** The result of a run. */
export interface RunResult extends Baseline {
  violation: Violation | undefined;
  /** The error of the scenario, if it failed. */
  scenarioError: unknown;
  counts: Readonly<Record<FaultName, number>>;
  decisions: Decisions;
  timeline: Timeline;
  /** Number of steps that the run took. */
  steps: number;
  usesRandom: boolean;
  /** Whether something has applied an object, although the server doesn't record owners. The result is then incomplete. */
  needsOwners: boolean;
  /** The resources that the operator and the user have used. */
  resources: ReadonlySet<string>;
}
