import { cardinalityWithin, costOfRuns, ruleCostLimit, totalCostLimit } from "@kubewright/cel/rules";
import type { ValidationRule } from "../../schema/model/json-schema.ts";
import type { Finding } from "../model/finding.ts";
import { childSites, type KindVersion, type Site } from "../model/site.ts";
import { isWritten } from "../schema/one-of.ts";
import { compileRules, type RuleExpression, serverSchema } from "./compile.ts";
import { hasRules } from "./has-rules.ts";

const hint =
  "limit lists, maps and texts on the way with +kubebuilder:validation:MaxItems, MaxProperties and MaxLength, or simplify the rule";

type Report = (finding: Finding, site: Site) => void;

interface Expensive {
  readonly site: Site;
  readonly rule: ValidationRule;
  readonly argument: RuleExpression["argument"];
  readonly cost: number;
}

/**
 * Reports the rules of a version that the API server rejects as too expensive. The server counts every use of a type. So the
 * check visits a rule at each use of its type, and reports it once, at the most expensive one.
 */
export function celBudget(kind: KindVersion, report: Report): void {
  const most = new Map<ValidationRule, Map<string, Expensive>>();
  let total = 0;
  walk({ schema: kind.version.schema.openAPIV3Schema, kind }, 1, (expensive) => {
    total += expensive.cost;
    const places = most.get(expensive.rule) ?? new Map<string, Expensive>();
    most.set(expensive.rule, places);
    if ((places.get(expensive.argument)?.cost ?? -1) < expensive.cost) places.set(expensive.argument, expensive);
  });
  const all = [...most.values()].flatMap((places) => [...places.values()]);
  const over = all.filter(({ cost }) => cost > ruleCostLimit);
  for (const rule of over) {
    report(
      finding(rule, `the API server estimates that this rule costs ${factor(rule.cost, ruleCostLimit)} its budget`),
      rule.site,
    );
  }
  const dearest = all.reduce<Expensive | undefined>((a, b) => (a && a.cost >= b.cost ? a : b), undefined);
  if (over.length > 0 || total <= totalCostLimit || !dearest) return;
  const which = `of version ${kind.version.name} together cost ${factor(total, totalCostLimit)} their budget`;
  report(finding(dearest, `the API server estimates that the rules ${which}; this one costs most`), dearest.site);
}

/**
 * Visits a schema and all schemas inside it, and passes the cost of each rule to `found`.
 *
 * @param cardinality the maximum number of times that the schema may occur in an object; undefined if unlimited
 */
function walk(site: Site, cardinality: number | undefined, report: (expensive: Expensive) => void): void {
  const { schema } = site;
  if (!hasRules(schema)) return;
  const { type, expressions } = (schema["x-kubernetes-validations"] && compileRules(site)) || { expressions: [] };
  for (const { rule, argument, result } of expressions) {
    if (!type || "problems" in result) continue;
    const once = result.estimate.max;
    // The message is evaluated once, when its rule has failed.
    const cost = argument === "messageExpression" ? once : costOfRuns(once, type, cardinality);
    if (cost > 0) report({ site, rule, argument, cost });
  }
  const below = cardinalityWithin(serverSchema(schema), cardinality);
  for (const child of childSites(site)) walk(child, below, report);
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
