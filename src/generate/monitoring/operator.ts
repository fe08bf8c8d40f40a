import { escapePattern } from "../../regex/escape.ts";

/** The facts about an operator that its alerts and its dashboard depend on. */
export interface Operator {
  /** The project's name, such as `game-operator`. */
  readonly project: string;
  /** The label `job` of its metrics: the name of the Service that Prometheus scrapes. */
  readonly job: string;
  /** The names of its controllers, sorted. */
  readonly controllers: readonly string[];
  /** The name of the Lease; undefined if the code doesn't contain it. */
  readonly lease?: string;
  readonly hasWebhooks: boolean;
  /** The directory of the runbooks as a URL, without a slash at the end. */
  readonly runbookURL?: string;
}

/**
 * Returns a selector of series.
 *
 * @param labels - the value of each label, or several possible ones; undefined or empty if any value is possible
 * @param others - further matchers, such as `code=~"5.."`
 */
export function selector(
  labels: Readonly<Record<string, string | readonly string[] | undefined>>,
  ...others: readonly string[]
): string {
  const matchers = Object.entries(labels).flatMap(([label, value]) => {
    const values = typeof value === "string" ? [value] : (value ?? []);
    if (values.length === 0) return [];
    if (values.length === 1) return [`${label}=${JSON.stringify(values[0])}`];
    return [`${label}=~${JSON.stringify(values.map(escapePattern).join("|"))}`];
  });
  return `{${[...matchers, ...others].join(",")}}`;
}
