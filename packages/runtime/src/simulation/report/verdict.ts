import type { Timeline } from "./timeline.ts";

/** A broken rule. */
export interface Violation {
  invariant: string;
  message: string;
}

/** The names of the built-in checks. */
export const builtIn = {
  convergence: "converges to the state of the run without faults",
  idempotence: "a reconcile of a settled world writes nothing",
  orphans: "leaves no orphans",
  orphaned: "keeps children that users have orphaned",
  storms: "writes a bounded number of times",
  writers: "never writes without the lease",
  rejections: "has no unhandled rejection",
  status: "status claims nothing that isn't true",
  finalizers: "finalizers complete",
  time: "a reconcile ends in time",
  lost: "keeps the changes of others",
  failures: "a reconcile succeeds at last",
  settledState: "a settled object is current",
  early: "an object isn't current before its children",
} as const;

/** Whether a run has broken a rule. The first broken rule ends the run. */
export class Verdict {
  readonly #timeline: Timeline;
  #violation: Violation | undefined;
  #isOver = false;

  /** @param timeline - receives the broken rule as an event */
  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** The broken rule, if there is one. */
  get violation(): Violation | undefined {
    return this.#violation;
  }

  /** Whether nothing is left to check. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Notes a broken rule, unless there is one already. */
  violated(violation: Violation | undefined): void {
    if (!violation || this.#violation) return;
    this.#violation = violation;
    this.#isOver = true;
    this.#timeline.add("simulation", "broken", "", "", `${violation.invariant}: ${violation.message}`);
  }

  /** Ends the checks without a broken rule. */
  end(): void {
    this.#isOver = true;
  }
}
