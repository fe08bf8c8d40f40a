import type { DevEvent, DevProblem, ErrorPhase } from "./protocol.ts";

type ErrorEvent = Extract<DevEvent, { event: "error" }>;

/** The errors that aren't fixed, by phase. */
export class OpenErrors {
  readonly #open = new Map<ErrorPhase, readonly ErrorEvent[]>();

  /** All of them. */
  get all(): readonly ErrorEvent[] {
    return [...this.#open.values()].flat();
  }

  /**
   * Replaces the errors of a phase.
   *
   * @returns the errors as events, and whether earlier errors of the phase are fixed
   */
  set(phase: ErrorPhase, problems: readonly DevProblem[]): { events: readonly ErrorEvent[]; isFixed: boolean } {
    const time = new Date().toISOString();
    const events = problems.map((problem): ErrorEvent => ({ event: "error", time, ...problem }));
    const isFixed = events.length === 0 && this.#open.has(phase);
    if (events.length === 0) this.#open.delete(phase);
    else this.#open.set(phase, events);
    return { events, isFixed };
  }
}
