import type { Json } from "../../json/json.ts";
import type { FieldError } from "../../request/field-error.ts";
import type { Schema, ValidationRule } from "../../schema/schema.ts";
import type { StructDeclaration } from "../environment.ts";
import { fieldPathOf } from "./field-path.ts";
import { type DataType, dataType, maxRequestBytes, rootType } from "./schema-type.ts";
import { type CompiledRule, compileRules } from "./validator.ts";

/** The limit of the estimated cost of one rule, for all the times that it runs for one object. */
const ruleCostLimit = 10_000_000;
/** The limit of the estimated cost of all rules of a schema. */
const totalCostLimit = 100_000_000;
const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const advice =
  "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";

function exceeds(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? "more than 100x" : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
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
interface Scope {
  field: string;
  isRoot: boolean;
  /** How often the node can exist in one object; undefined without a bound. */
  cardinality: number | undefined;
  /** The part of the schema in which old values can't be found. */
  uncorrelatable: string | undefined;
}

/**
 * Checks the rules of a schema as the server does when a definition is written.
 *
 * @param schema - the structural schema of a version
 * @param field - the path of the schema in the definition
 * @param skipExpressions - true if the schema has other errors: expressions are not compiled then
 * @returns the errors of rules, their expressions and their costs
 */
export function checkRules(schema: Schema, field: string, skipExpressions = false): FieldError[] {
  const form: FieldError[] = [];
  const expressions: FieldError[] = [];
  const total = new TotalCost();
  const structs = new Map<string, StructDeclaration>();
  visit(schema, { field, isRoot: true, cardinality: 1, uncorrelatable: undefined }, (node, scope) => {
    const problems = checkForm(node, scope.field);
    form.push(...problems);
    const rules = node["x-kubernetes-validations"] ?? [];
    if (rules.length === 0 || skipExpressions || form.length > 0) return;
    const root = scope.isRoot || node["x-kubernetes-embedded-resource"] === true;
    const type = dataType(node, root, rootType, structs);
    if (type === undefined) {
      const detail =
        "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
      expressions.push({ type: "InternalError", field: `${scope.field}.x-kubernetes-validations`, detail });
      return;
    }
    const compiled = compileRules(node, rules, type, structs);
    for (const [index, rule] of compiled.entries())
      expressions.push(...checkExpression(rule, index, type, scope, total));
  });
  return [...form, ...expressions, ...(form.length > 0 ? [] : total.errors(field))];
}

function visit(schema: Schema, scope: Scope, check: (node: Schema, scope: Scope) => void): void {
  const bound = maxElements(schema);
  const cardinality = scope.cardinality === undefined || bound === undefined ? undefined : scope.cardinality * bound;
  const child = (name: string, node: Schema, uncorrelatable = scope.uncorrelatable) =>
    visit(node, { field: `${scope.field}.${name}`, isRoot: false, cardinality, uncorrelatable }, check);
  if (typeof schema.additionalProperties === "object") child("additionalProperties", schema.additionalProperties);
  for (const [name, property] of Object.entries(schema.properties ?? {})) child(`properties[${name}]`, property);
  if (schema.items !== undefined) {
    const correlatable = schema["x-kubernetes-list-type"] === "map";
    child("items", schema.items, correlatable ? scope.uncorrelatable : (scope.uncorrelatable ?? scope.field));
  }
  check(schema, scope);
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

function checkForm(schema: Schema, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, rule] of (schema["x-kubernetes-validations"] ?? []).entries()) {
    const at = (name: string) => `${field}.x-kubernetes-validations[${index}].${name}`;
    const required = (name: string, detail: string) =>
      errors.push({ type: "FieldValueRequired", field: at(name), detail });
    const invalid = (name: string, value: string, detail: string) =>
      errors.push({ type: "FieldValueInvalid", field: at(name), value, detail });
    const [message = "", text] = [rule.message, rule.message?.trim() ?? ""];
    const newline = /[\n\r]/;
    if ((rule.rule ?? "").trim() === "") required("rule", "rule is not specified");
    else if (message !== "" && text === "") invalid("message", message, "must be non-empty if specified");
    else if (newline.test(text)) invalid("message", message, "must not contain line breaks");
    else if (newline.test((rule.rule ?? "").trim()) && text === "")
      required("message", "message must be specified if rule contains line breaks");
    if (rule.messageExpression && rule.messageExpression.trim() === "") {
      required("messageExpression", "messageExpression must be non-empty if specified");
    }
    if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
      const detail = `supported values: ${reasons.map((reason) => `"${reason}"`).join(", ")}`;
      errors.push({ type: "FieldValueNotSupported", field: at("reason"), value: rule.reason, detail });
    }
    if (!rule.fieldPath) continue;
    if (rule.fieldPath.trim() === "") invalid("fieldPath", rule.fieldPath, "must be non-empty if specified");
    if (newline.test(rule.fieldPath)) invalid("fieldPath", rule.fieldPath, "must not contain line breaks");
    if ("problem" in fieldPathOf(rule.fieldPath, schema)) invalid("fieldPath", rule.fieldPath, "must be a valid path");
  }
  return errors;
}

function checkExpression(
  rule: CompiledRule,
  index: number,
  type: DataType,
  scope: Scope,
  total: TotalCost,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = (name: string) => `${scope.field}.x-kubernetes-validations[${index}].${name}`;
  const times = scope.cardinality ?? Math.floor(maxRequestBytes / (type.minSize + 1));
  const cost = (rule.compiled?.estimate.max ?? 0) * times;
  if (cost > ruleCostLimit) {
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
    if (messageCost > ruleCostLimit) {
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
