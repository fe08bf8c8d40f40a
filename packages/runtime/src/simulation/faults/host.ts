import type { Choices } from "../schedule/choices.ts";
import type { FaultName } from "../schedule/fault-names.ts";
import type { Scheduler } from "../schedule/scheduler.ts";
import type { State } from "../world/state.ts";
import type { Target } from "../world/target.ts";

/** The parts of a run for faults of requests. */
export interface InjectorHost {
  readonly choices: Choices;
  readonly scheduler: Scheduler;
  readonly state: State;
  /** Returns the revision at the start and the present one. */
  revisions(): { first: number; current: number };
  /** Changes an annotation of an object on behalf of another client. */
  touch(target: Target): Promise<void>;
  /** Counts a fault and adds it to the timeline. */
  injected(name: FaultName, detail: string, object?: string): void;
}
