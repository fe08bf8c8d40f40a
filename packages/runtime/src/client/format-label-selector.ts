import { checkedLabels, isLabelKey, isLabelValue } from "./selectors.ts";

/** A label selector as fields of Kubernetes contain it, such as the `spec.selector` of a Deployment. */
export interface LabelSelectorObject {
  /**
   * Values by label.
   *
   * @defaultValue no labels
   */
  matchLabels?: Readonly<Record<string, string>>;
  /**
   * Requirements, all of which objects must meet. Operators: `In`, `NotIn`, `Exists`, `DoesNotExist`.
   *
   * @defaultValue no requirements
   */
  matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

/**
 * Converts a label selector to kubectl's syntax, for `list` and predicates. An empty selector selects all objects.
 *
 * @param selector - the selector, such as a field of a custom resource
 * @returns the text, such as `app=chess,tier in (db,web)`
 * @throws TypeError if a key, an operator or a value isn't valid
 *
 * @example
 * const selector = { matchExpressions: [{ key: "tier", operator: "In", values: ["db", "web"] }] };
 * const pods = await client.list(Pod, { labels: formatLabelSelector(selector) });
 */
export function formatLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): string {
  const equal = checkedLabels(matchLabels).map(([key, value]) => `${key}=${value}`);
  return [...equal.sort(), ...matchExpressions.map(formatRequirement)].join(",");
}

function formatRequirement({
  key,
  operator,
  values = [],
}: NonNullable<LabelSelectorObject["matchExpressions"]>[number]): string {
  if (!isLabelKey(key)) throw new TypeError(`${JSON.stringify(key)} isn't a valid label key`);
  const wrong = values.find((value) => !isLabelValue(value));
  if (wrong !== undefined) throw new TypeError(`${JSON.stringify(wrong)} isn't a valid value of the label ${key}`);
  const haveValues = operator === "In" || operator === "NotIn";
  if (haveValues !== values.length > 0) {
    throw new TypeError(`${key}: ${operator} must have ${haveValues ? "at least one value" : "no values"}`);
  }
  switch (operator) {
    case "In":
      return `${key} in (${values.join(",")})`;
    case "NotIn":
      return `${key} notin (${values.join(",")})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    default:
      throw new TypeError(`${JSON.stringify(operator)} isn't a valid operator: use In, NotIn, Exists or DoesNotExist`);
  }
}
