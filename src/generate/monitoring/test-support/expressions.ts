/** A metric in an expression of Prometheus, with the labels that the expression reads. */
export interface UsedMetric {
  readonly name: string;
  readonly labels: readonly string[];
}

/** Finds the metrics in an expression. All labels of `by (…)` count for each of them. */
export function metricsIn(expression: string): UsedMetric[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(/,\s*/));
  return [...expression.matchAll(/\b([a-z_][a-z0-9_]*)\{([^}]*)\}/g)].map(([, name = "", matchers = ""]) => ({
    name,
    labels: [
      ...new Set([...[...matchers.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, label = ""]) => label), ...grouped]),
    ],
  }));
}
