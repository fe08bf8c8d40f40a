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

/** The names of the checks of sets of children. */
export const ofChildren = {
  wanted: "the wanted children exist, and no others",
  own: "a set changes only its own children",
  fields: "fields of others survive",
  order: "children follow their order",
  requests: "a settled reconcile sends no request",
} as const;

/** The names of the checks of replicas that share the objects. */
export const ofShards = {
  owner: "one process owns an object",
  owned: "each object is owned again",
  balanced: "the objects are balanced",
} as const;

/** The names of the checks of upgrades. */
export const ofUpgrade = {
  rollout: "an upgrade starts no rollout",
  replaced: "an upgrade replaces nothing",
  leftBehind: "an upgrade leaves nothing behind",
  secrets: "an upgrade changes no secret",
  lostData: "an upgrade loses no data",
  stored: "stored objects stay valid",
  definitions: "CRDs can be applied",
  fight: "versions don't fight",
  rollback: "a rollback works",
  manifests: "manifests can be applied",
} as const;

/** Whether a run has broken a rule. The first broken rule ends the run. */
export class Verdict {
  readonly #timeline: Timeline;
  #violation: Violation | undefined;
  #isOver = false;
  /** Whether the run has ended because of something that isn't a finding. */
  #isUndecided = false;

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

  /**
   * Decides what a broken rule means: the same or another broken rule, `end` for the end of the checks without a finding, or
   * `ignore`.
   */
  judge: (violation: Violation) => Violation | "end" | "ignore" = (violation) => violation;

  /** Notes a broken rule, unless there is one already. */
  violated(given: Violation | undefined): void {
    if (!given || this.#violation || this.#isUndecided) return;
    const violation = this.judge(given);
    if (violation === "ignore") return;
    this.#isOver = true;
    this.#isUndecided = violation === "end";
    if (violation === "end") return;
    this.#violation = violation;
    this.#timeline.add("simulation", "broken", "", "", `${violation.invariant}: ${violation.message}`);
  }

  /** Ends the checks without a broken rule. */
  end(): void {
    this.#isOver = true;
  }
}
