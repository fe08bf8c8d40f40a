import type { Baseline } from "./checks/run-checks.ts";
import type { Prepared } from "./prepare.ts";
import type { Probed } from "./probes.ts";
import type { Timeline } from "./report/timeline.ts";
import type { UpgradeVariation } from "./report/upgrade-variation.ts";
import type { Violation } from "./report/verdict.ts";
import type { Decisions } from "./schedule/choices.ts";
import type { FaultName } from "./schedule/fault-names.ts";
import type { ObjectsById } from "./upgrade/upgrade-checks.ts";
import type { UpgradePlan } from "./upgrade/upgrade-plan.ts";
import type { ServerPart } from "./world/usage.ts";

/** Settings of one run. */
export interface RunSettings {
  prepared: Prepared;
  seed: number;
  faults: readonly FaultName[];
  /** Another value gives other random numbers, names and times, on which a correct operator doesn't depend. */
  nature?: number;
  /** Decisions to repeat. */
  decisions?: Decisions;
  /** Whether Services have endpoints. By default, only if the run without faults has read some. */
  endpoints?: boolean;
  /** Changes the objects of the user before each check of a settled state. */
  probe?: (probed: Probed) => Promise<void>;
  /** Whether the server records the owners of fields. By default, only if the run without faults has applied objects. */
  owners?: boolean;
  /** The name of a rule of the user. The result contains the event that broke it. */
  trace?: string;
  /** The states of the run without faults. */
  expected?: Baseline;
  /** How the operator is upgraded. */
  upgrade?: UpgradeSettings;
}

/** How the operator is upgraded in a run. */
export interface UpgradeSettings {
  readonly plan: UpgradePlan;
  /** The run without faults in which the old version stays. */
  readonly stays?: RunResult;
  /** The objects that the old version restores, and the new one neither restores nor deletes. */
  readonly left?: ReadonlySet<string>;
  /** The run without faults of the new version alone. */
  readonly plain?: Baseline;
  /** Whether broken rules don't end the run, so that all changes are seen. */
  readonly isSurvey?: boolean;
}

/** The result of a run. */
export interface RunResult extends Baseline {
  violation: Violation | undefined;
  /** The error of the scenario, if it failed. */
  scenarioError: unknown;
  counts: Readonly<Record<FaultName, number>>;
  decisions: Decisions;
  /** The settled states before which somebody has changed something by hand, with the kind of the object. */
  byHand: ReadonlySet<string>;
  timeline: Timeline;
  /** Index in the timeline of the event that broke the traced rule. */
  position?: number | undefined;
  /** Whether objects were applied. */
  appliesObjects?: boolean;
  /** Number of steps that the run took. */
  steps: number;
  usesRandom: boolean;
  /** A part that the server lacks, although something has used it: the owners of fields, or endpoints. The result is then incomplete. */
  needs: ServerPart | undefined;
  /** The resources that the operator and the user have used. */
  resources: ReadonlySet<string>;
  /** The objects of each settled state, by its label, in a run with an upgrade. */
  states?: ReadonlyMap<string, ObjectsById>;
  /** The variations of the upgrade that have happened. */
  upgrades?: ReadonlySet<UpgradeVariation>;
  /** Whether the upgrade has begun. */
  isUpgraded?: boolean;
}
