import type { JSONSchema, ValidationRule } from "../../schema/json-schema.ts";
import type { Finding } from "../finding.ts";
import { isWritten } from "../schema/one-of.ts";
import { childSites, type KindVersion, type Site } from "../site.ts";
import { estimateCost } from "./cost.ts";
import { declType, isEmbedded, mostBytes } from "./decl-type.ts";
import { hasRules } from "./has-rules.ts";
import { parseRule } from "./parse.ts";

/** The API server's cost limits: for one expression, and for all expressions of a version together. */
const mostPerRule = 10_000_000;
const mostPerVersion = 100_000_000;

const hint =
  "limit lists, maps and texts on the way with +kubebuilder:validation:MaxItems, MaxProperties and MaxLength, or simplify the rule";

type Report = (finding: Finding, site: Site) => void;

interface Expensive {
  readonly site: Site;
  readonly rule: ValidationRule;
  readonly argument: "rule" | "messageExpression";
  readonly cost: number;
}

/**
 * Reports the rules of a version that the API server rejects as too expensive. The server counts every use of a type. So the
 * check visits a rule at each use of its type, and reports it once, at the most expensive one.
 */
export function celBudget(kind: KindVersion, report: Report): void {
  const most = new Map<ValidationRule, Map<string, Expensive>>();
  let total = 0;
  walk({ schema: kind.version.schema.openAPIV3Schema, kind }, 1, (found) => {
    total += found.cost;
    const places = most.get(found.rule) ?? new Map<string, Expensive>();
    most.set(found.rule, places);
    if ((places.get(found.argument)?.cost ?? -1) < found.cost) places.set(found.argument, found);
  });
  const all = [...most.values()].flatMap((places) => [...places.values()]);
  const over = all.filter(({ cost }) => cost > mostPerRule);
  for (const each of over) {
    report(
      finding(each, `the API server estimates that this rule costs ${factor(each.cost, mostPerRule)} its budget`),
      each.site,
    );
  }
  const dearest = all.reduce<Expensive | undefined>((a, b) => (a && a.cost >= b.cost ? a : b), undefined);
  if (over.length > 0 || total <= mostPerVersion || !dearest) return;
  const which = `of version ${kind.version.name} together cost ${factor(total, mostPerVersion)} their budget`;
  report(finding(dearest, `the API server estimates that the rules ${which}; this one costs most`), dearest.site);
}

/**
 * Visits a schema and all schemas inside it, and passes the cost of each rule to `found`.
 *
 * @param cardinality the maximum number of times that the schema may occur in an object; undefined if unlimited
 */
function walk(site: Site, cardinality: number | undefined, found: (expensive: Expensive) => void): void {
  const { schema } = site;
  if (!hasRules(schema)) return;
  for (const rule of schema["x-kubernetes-validations"] ?? []) {
    for (const argument of ["rule", "messageExpression"] as const) {
      const once = costOnce(schema, rule, argument, !site.parent || isEmbedded(schema));
      // The message is evaluated once, when its rule has failed.
      const times = argument === "messageExpression" ? 1 : (cardinality ?? unlimited(schema, !site.parent));
      if (once > 0) found({ site, rule, argument, cost: once * times });
    }
  }
  const below = cardinality === undefined ? undefined : childrenOf(schema);
  const next = below === undefined ? undefined : cardinality! * below;
  for (const child of childSites(site)) walk(child, next, found);
}

/** Returns the maximum number of values inside one value; undefined if unlimited. */
function childrenOf({ type, additionalProperties, maxProperties, maxItems }: JSONSchema): number | undefined {
  const most =
    type === "array" ? maxItems : type === "object" && additionalProperties !== undefined ? maxProperties : 1;
  return most === undefined ? undefined : Math.max(0, Number(most));
}

/** Returns how often a value fits into a request. */
function unlimited(schema: JSONSchema, isRoot: boolean): number {
  const least = declType(schema, isRoot || isEmbedded(schema))?.least ?? mostBytes;
  return Math.floor(mostBytes / (least + 1));
}

const costs = new WeakMap<ValidationRule, Map<string, { readonly schema: JSONSchema; readonly cost: number }>>();

function costOnce(schema: JSONSchema, rule: ValidationRule, argument: Expensive["argument"], isRoot: boolean): number {
  const text = rule[argument];
  if (text === undefined) return 0;
  const known = costs.get(rule) ?? new Map();
  costs.set(rule, known);
  const key = `${argument} ${isRoot}`;
  const before = known.get(key);
  if (before?.schema === schema) return before.cost;
  const parsed = parseRule(text);
  const type = declType(schema, isRoot);
  const cost = parsed.kind === "ast" && type ? estimateCost(parsed.ast, type, rule.optionalOldSelf === true) : 0;
  known.set(key, { schema, cost });
  return cost;
}

function finding({ rule, argument }: Expensive, message: string): Finding {
  const id = "cel-cost";
  const common = { id, message, hint, keywords: ["x-kubernetes-validations"] } as const;
  return isWritten(rule) ? { ...common, matching: { rule: rule.rule }, argument } : common;
}

function factor(cost: number, budget: number): string {
  const times = cost / budget;
  return times > 100 ? "more than 100 times" : `${times.toFixed(1)} times`;
}
