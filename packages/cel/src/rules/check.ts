import { goFixed } from "../json/go-text.ts";
import type { Json } from "../json/json.ts";
import { fixed, times } from "../language/cost/range.ts";
import type { StructDeclaration } from "../language/declarations/environment.ts";
import type { Schema, ValidationRule } from "../schema/schema.ts";
import type { FieldError } from "../validation/field-error.ts";
import { type CompiledRule, compileRules } from "./compile-rules.ts";
import { type DataType, dataType, maxRequestBytes, rootType } from "./schema-type.ts";

/** The limit of the estimated cost of one rule, for all the times that it runs for one object. */
export const ruleCostLimit = 10_000_000;
/** The limit of the estimated cost of all rules of a schema. */
export const totalCostLimit = 100_000_000;
const advice =
  "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";

function exceeds(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? "more than 100x" : `${goFixed(factor, factor < 1.5 ? 6 : 1)}x`;
  return `${name} exceeds budget by factor of ${shown} ${advice}`;
}

/** The sum of estimated costs, with the most expensive expressions. */
class TotalCost {
  total = 0;
  #expensive: { field: string; cost: number }[] = [];

  add(field: string, cost: number): void {
    this.total += cost;
    if (cost < totalCostLimit / 100) return;
    this.#expensive = [...this.#expensive, { field, cost }].sort((a, b) => b.cost - a.cost).slice(0, 4);
  }

  errors(field: string): FieldError[] {
    if (this.total <= totalCostLimit) return [];
    const contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.#expensive.map(
        (rule): FieldError => ({ type: "FieldValueForbidden", field: rule.field, detail: contributed }),
      ),
      { type: "FieldValueForbidden", field, detail: exceeds(name, this.total, totalCostLimit) },
    ];
  }
}

/** The position of a node below its parents. */
export interface RuleScope {
  field: string;
  isRoot: boolean;
  /** How often the node can exist in one object; undefined without a bound. */
  cardinality: number | undefined;
  /** The part of the schema in which old values can't be found. */
  uncorrelatable: string | undefined;
}

/** Checks the rules of one schema as the server does when a definition is written. */
export class RuleChecker {
  readonly #total = new TotalCost();
  readonly #structs = new Map<string, StructDeclaration>();
  readonly #ignoresCosts: boolean;

  /** @param ignoresCosts - whether the costs of single rules have no limit, because the schema is stored already */
  constructor(ignoresCosts: boolean) {
    this.#ignoresCosts = ignoresCosts;
  }

  /**
   * Compiles the rules of a node.
   *
   * @param node - the node, whose form is valid
   * @param scope - its position
   * @returns the errors of expressions and their costs
   */
  check(node: Schema, scope: RuleScope): FieldError[] {
    const rules = node["x-kubernetes-validations"] ?? [];
    if (rules.length === 0) return [];
    const root = scope.isRoot || node["x-kubernetes-embedded-resource"] === true;
    const type = dataType(node, root, rootType, this.#structs);
    if (type === undefined) {
      const detail =
        "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
      return [{ type: "InternalError", field: `${scope.field}.x-kubernetes-validations`, detail }];
    }
    return compileRules(rules, type, this.#structs).flatMap((rule, index) =>
      checkExpression(rule, index, type, scope, this.#total, this.#ignoresCosts),
    );
  }

  /**
   * Checks the cost of all rules that were checked.
   *
   * @param field - the path of the schema in the definition
   * @returns an error for each expensive expression and one for the schema, if the limit is exceeded
   */
  totalErrors(field: string): FieldError[] {
    return this.#total.errors(field);
  }
}

/**
 * Multiplies how often a node can exist by the largest number of its elements.
 *
 * @param schema - the node
 * @param cardinality - how often it can exist in one object; undefined without a bound
 * @returns how often a child can exist
 */
export function cardinalityWithin(schema: Schema, cardinality: number | undefined): number | undefined {
  const bound = maxElements(schema);
  return cardinality === undefined || bound === undefined ? undefined : cardinality * bound;
}

/**
 * Multiplies the cost of a rule by how often it runs for one object.
 *
 * @param cost - the cost of one run
 * @param type - the type of the node's data
 * @param cardinality - how often the node can exist; undefined for as often as it fits into a request
 * @returns the cost, at most the largest one, so that the first of the rules above it counts as the most expensive
 */
export function costOfRuns(cost: number, type: DataType, cardinality: number | undefined): number {
  return times(fixed(cost), fixed(cardinality ?? Math.floor(maxRequestBytes / (type.minSize + 1)))).max;
}

function maxElements(schema: Schema): number | undefined {
  if (schema.type === "array") return schema.maxItems === undefined ? undefined : Math.max(0, schema.maxItems);
  if (schema.type !== "object" || !schema.additionalProperties) return 1;
  return schema.maxProperties === undefined ? undefined : Math.max(0, schema.maxProperties);
}

/** Formats a rule as errors print it. */
function printed(rule: ValidationRule): Json {
  return {
    Rule: rule.rule ?? "",
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

function checkExpression(
  rule: CompiledRule,
  index: number,
  type: DataType,
  scope: RuleScope,
  total: TotalCost,
  ignoresCosts: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = (name: string) => `${scope.field}.x-kubernetes-validations[${index}].${name}`;
  const cost = costOfRuns(rule.compiled?.estimate.max ?? 0, type, scope.cardinality);
  if (cost > ruleCostLimit && !ignoresCosts) {
    errors.push({
      type: "FieldValueForbidden",
      field: at("rule"),
      detail: exceeds("estimated rule cost", cost, ruleCostLimit),
    });
  }
  total.add(at("rule"), cost);
  const value = printed(rule.rule);
  if (rule.problem !== undefined)
    errors.push({ type: "FieldValueInvalid", field: at("rule"), value, detail: rule.problem });
  if (rule.messageProblem !== undefined) {
    errors.push({ type: "FieldValueInvalid", field: at("messageExpression"), value, detail: rule.messageProblem });
  } else if (rule.message !== undefined) {
    const messageCost = rule.message.estimate.max;
    if (messageCost > ruleCostLimit && !ignoresCosts) {
      const detail = exceeds("estimated messageExpression cost", messageCost, ruleCostLimit);
      errors.push({ type: "FieldValueForbidden", field: at("messageExpression"), detail });
    }
    total.add(at("messageExpression"), messageCost);
  }
  if (rule.usesOldSelf) {
    if (scope.uncorrelatable !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${scope.uncorrelatable}`;
      errors.push({ type: "FieldValueInvalid", field: at("rule"), value: rule.rule.rule, detail });
    }
  } else if (rule.rule.optionalOldSelf !== undefined) {
    const detail = "may not be set if oldSelf is not used in rule";
    errors.push({ type: "FieldValueInvalid", field: at("optionalOldSelf"), value: rule.rule.optionalOldSelf, detail });
  }
  return errors;
}
