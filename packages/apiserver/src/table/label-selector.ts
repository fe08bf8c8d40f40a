import type { JsonObject } from "@kubewright/cel/json";
import { isQualifiedName, isValidLabelValue } from "@kubewright/cel/validation";
import { objectAt, objectsAt, textAt, textsAt } from "./fields.ts";

/**
 * Writes a selector of a kind, such as `spec.selector` of a Deployment, as text.
 *
 * @param selector - `matchLabels` and `matchExpressions`
 * @returns for example `app=web,tier in (a,b)`; undefined if the selector isn't valid
 */
export function selectorText(selector: JsonObject | undefined): string | undefined {
  const requirements: { key: string; text: string }[] = [];
  const labels = objectAt(selector, "matchLabels") ?? {};
  for (const key of Object.keys(labels)) {
    const value = textAt(labels, key);
    if (!isValid(key, [value])) return undefined;
    requirements.push({ key, text: `${key}=${value}` });
  }
  for (const expression of objectsAt(selector, "matchExpressions")) {
    const key = textAt(expression, "key");
    const values = textsAt(expression, "values");
    const text = expressionText(textAt(expression, "operator"), key, values);
    if (text === undefined || !isValid(key, values)) return undefined;
    requirements.push({ key, text });
  }
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(",");
}

function expressionText(operator: string, key: string, values: readonly string[]): string | undefined {
  const list = `(${[...values].sort().join(",")})`;
  switch (operator) {
    case "In":
      return values.length > 0 ? `${key} in ${list}` : undefined;
    case "NotIn":
      return values.length > 0 ? `${key} notin ${list}` : undefined;
    case "Exists":
      return values.length === 0 ? key : undefined;
    case "DoesNotExist":
      return values.length === 0 ? `!${key}` : undefined;
    default:
      return undefined;
  }
}

function isValid(key: string, values: readonly string[]): boolean {
  return isQualifiedName(key).length === 0 && values.every((value) => isValidLabelValue(value).length === 0);
}

/** Returns the text of a selector for a cell: `<none>` without requirements, `<error>` if it isn't valid. */
export function formatLabelSelector(selector: JsonObject | undefined): string {
  const text = selectorText(selector);
  return text === undefined ? "<error>" : text || "<none>";
}
