import type { DevEvent, DevProblem, ErrorPhase } from "@kubewright/dashboard/protocol";

type ErrorEvent = Extract<DevEvent, { event: "error" }>;

/** Errors of one step that are reported at once. */
const maxReported = 10;
/** Errors of a phase that are kept for `scaffold dev status` and the dashboard. */
const maxKept = 100;

/** The changes in the errors of a phase. */
export interface ErrorChanges {
  /** The errors that are new, at most ten. */
  readonly events: readonly ErrorEvent[];
  /** Number of further new errors. */
  readonly more: number;
  /** Whether earlier errors of the phase are fixed. */
  readonly isFixed: boolean;
}

/** The errors that aren't fixed, by phase. */
export class OpenErrors {
  readonly #open = new Map<ErrorPhase, { readonly events: readonly ErrorEvent[]; readonly keys: Counts }>();

  /** All of them, up to a limit per phase. */
  get all(): readonly ErrorEvent[] {
    return [...this.#open.values()].flatMap(({ events }) => events);
  }

  /**
   * Replaces the errors of a phase. An error counts as new if the phase didn't have it before, at whatever line. Each end of a
   * manager is new, because it is an event, not a state of the files.
   */
  set(phase: ErrorPhase, problems: readonly DevProblem[]): ErrorChanges {
    const time = new Date().toISOString();
    const counts: Counts = new Map(phase === "manager" ? [] : this.#open.get(phase)?.keys);
    const isNew = (problem: DevProblem): boolean => {
      const left = counts.get(keyOf(problem)) ?? 0;
      counts.set(keyOf(problem), left - 1);
      return left <= 0;
    };
    const event = (problem: DevProblem): ErrorEvent => ({ event: "error", time, ...problem });
    const added = problems.filter(isNew);
    const isFixed = problems.length === 0 && this.#open.has(phase);
    if (problems.length === 0) this.#open.delete(phase);
    else this.#open.set(phase, { events: problems.slice(0, maxKept).map(event), keys: countsOf(problems) });
    const events = added.slice(0, maxReported).map(event);
    return { events, more: added.length - events.length, isFixed };
  }
}

/** How often each error occurs. */
type Counts = Map<string, number>;

function countsOf(problems: readonly DevProblem[]): Counts {
  const counts: Counts = new Map();
  for (const problem of problems) counts.set(keyOf(problem), (counts.get(keyOf(problem)) ?? 0) + 1);
  return counts;
}

/** Identifies an error. Edits of other lines move it. */
function keyOf({ file = "", id = "", message }: DevProblem): string {
  return JSON.stringify([file, id, message]);
}
