import type { DevProblem, ErrorPhase } from "@kubewright/dashboard/protocol";
import type { Bundle } from "../build/bundler.ts";
import { withoutReportedSyntax } from "../build/syntax-errors.ts";
import type { TypeErrors } from "../build/type-check.ts";
import type { SessionEvents } from "../store/session-events.ts";
import type { OpenErrors } from "./errors.ts";

/** Reports the problems of each step, and that they are fixed. */
export class ProblemReports {
  readonly #errors: OpenErrors;
  readonly #events: SessionEvents;
  readonly #isOutdated: () => boolean;

  /**
   * @param errors - the errors that aren't fixed
   * @param events - receives the events. Its problems are reported, too
   * @param isOutdated - whether files have changed since the steps began: some steps may have read the old text, and others the
   * new one
   */
  constructor(errors: OpenErrors, events: SessionEvents, isOutdated: () => boolean) {
    this.#errors = errors;
    this.#events = events;
    this.#isOutdated = isOutdated;
    events.on("problems", ({ phase, problems }) => this.report(phase, problems));
  }

  /** Reports the problems of a step: those that it didn't have before, at most ten, and the number of the others. */
  report(phase: ErrorPhase, problems: readonly DevProblem[]): void {
    const { events, more, isFixed } = this.#errors.set(phase, problems);
    for (const event of events) this.#events.send("event", event);
    if (more > 0) {
      const message = `${more} more ${more === 1 ? "error" : "errors"} in ${phase}: npx scaffold dev status lists them`;
      this.#events.note(message);
    }
    if (isFixed) this.#events.emit({ event: "fixed", phases: [phase] });
  }

  /** Reports the problems of the generator and of the bundle, each once. Returns all of them. */
  reportBuild(generated: readonly DevProblem[] | undefined, bundle: Bundle): readonly DevProblem[] {
    const bundled = "problems" in bundle ? bundle.problems : [];
    if (generated) this.#reportRest("generate", generated, bundled);
    this.report("bundle", bundled);
    return [...(generated ?? []), ...bundled];
  }

  /** Reports the type errors that weren't reported; nothing without the result of a check. */
  reportTypes(types: TypeErrors | undefined, reported: readonly DevProblem[]): void {
    if (types) this.#reportRest("types", types.problems, reported);
  }

  /**
   * Reports the problems that weren't reported; none of files that have changed meanwhile, since the next steps find them again,
   * and each once. If none remains, earlier ones of the phase may still exist.
   */
  #reportRest(phase: ErrorPhase, problems: readonly DevProblem[], reported: readonly DevProblem[]): void {
    if (problems.length > 0 && this.#isOutdated()) return;
    const rest = withoutReportedSyntax(problems, reported);
    if (rest.length > 0 || problems.length === 0) this.report(phase, rest);
  }
}
