// The parts of an alert, and how its expression and its tests select series.
import { type Operator, selector } from "./operator.ts";
import type { Series } from "./series.ts";

/** The series that cause an alert or not, and the labels that the alert then has. */
export interface Cases {
  readonly firing: readonly Series[];
  readonly silent: readonly Series[];
  readonly labels: Readonly<Record<string, string>>;
}

/** An alert before the settings of the project. */
export interface Definition {
  /** The threshold; absent for alerts without one. */
  readonly above?: number;
  /** The largest threshold that makes sense, such as 1 for a fraction. */
  readonly most?: number;
  readonly for: string;
  readonly severity: "warning" | "critical";
  readonly summary: string;
  readonly description: (above: string) => string;
  readonly runbook: Runbook;
  readonly expr: (operator: Operator, above: number) => string;
  readonly cases: (operator: Operator, above: number) => Cases;
}

/** The sections of a runbook, apart from Meaning. */
export interface Runbook {
  readonly impact: string;
  readonly diagnosis: readonly string[];
  readonly mitigation: readonly string[];
}

/** The namespace of the operator in tests. */
export const testNamespace = "monitored";

/** Returns the selector of the operator's controllers. */
export function controllersOf(operator: Operator): string {
  return selector({ job: operator.job, controller: operator.controllers });
}

/** Returns the labels of a controller's series in tests, and those that its alerts have. */
export function controllerLabels({ job, controllers }: Operator) {
  const controller = controllers[0] ?? "example";
  return { all: { job, namespace: testNamespace, controller }, shown: { namespace: testNamespace, controller } };
}

/** Formats a fraction, such as `0.1`. */
export function percent(share: string): string {
  return `${Number((Number(share) * 100).toFixed(4))} %`;
}
