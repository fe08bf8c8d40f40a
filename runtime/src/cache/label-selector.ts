import { checkedLabels } from "../client/selectors.ts";
import { ownField } from "../json/object.ts";

/** Whether labels match. */
export type LabelMatcher = (labels: Readonly<Record<string, string>> | undefined) => boolean;

/** Equality per label, or a selector in kubectl's syntax: `a=b,c!=d,e in (x,y),f notin (z),g,!h`. */
export type LabelSelector = Readonly<Record<string, string>> | string;

/** Compiles a selector. Throws an `Error` that shows what can't be read, or what no object can have. */
export function labelMatcher(selector: LabelSelector | undefined): LabelMatcher {
  if (selector === undefined) return () => true;
  if (typeof selector !== "string") {
    const wanted = checkedLabels(selector);
    return (labels) => wanted.every(([key, value]) => ownField(labels, key) === value);
  }
  const requirements = splitRequirements(selector).map(requirement);
  return (labels) => requirements.every((matches) => matches(labels ?? {}));
}

// Commas inside of parentheses divide values, not requirements.
function splitRequirements(selector: string): string[] {
  return selector
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function requirement(text: string): (labels: Readonly<Record<string, string>>) => boolean {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (set) {
    const [, key = "", operator, list = ""] = set;
    const values = new Set(list.split(",").map((value) => value.trim()));
    const inside = (labels: Readonly<Record<string, string>>): boolean => {
      const value = ownField(labels, key);
      return typeof value === "string" && values.has(value);
    };
    return operator === "in" ? inside : (labels) => !inside(labels);
  }
  const equality = /^([^\s=!()]+)\s*(==|=|!=)\s*([^\s=!()]*)$/.exec(text);
  if (equality) {
    const [, key = "", operator, value] = equality;
    return operator === "!="
      ? (labels) => ownField(labels, key) !== value
      : (labels) => ownField(labels, key) === value;
  }
  const existence = /^(!?)\s*([^\s=!()]+)$/.exec(text);
  if (existence) {
    const [, negated, key = ""] = existence;
    return negated ? (labels) => ownField(labels, key) === undefined : (labels) => ownField(labels, key) !== undefined;
  }
  throw new Error(`label selector: ${JSON.stringify(text)} is no requirement`);
}
