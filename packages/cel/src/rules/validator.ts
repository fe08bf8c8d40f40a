import { byteLength } from "../json/bytes.ts";
import { goQuote } from "../json/go-text.ts";
import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { markFloats, WholeFloat } from "../json/notation.ts";
import { encodeJson } from "../json/values.ts";
import { type CompiledExpression, perCallLimit } from "../language/compile.ts";
import type { StructDeclaration } from "../language/declarations/environment.ts";
import { CostLimitExceeded, EvaluationError } from "../language/values/evaluation-error.ts";
import { noValue, Optional, type Value } from "../language/values/value.ts";
import { findField } from "../schema/field-path.ts";
import type { Schema, ValidationRule } from "../schema/schema.ts";
import type { FieldError } from "../validation/field-error.ts";
import { type CompiledRule, compileRules } from "./compile-rules.ts";
import { type DataType, dataType, escapeName, rootType, withObjectMeta } from "./schema-type.ts";
import { schemaValue } from "./schema-value.ts";

/** The budget of all rules for one object. */
export const objectCostBudget = 10_000_000;
const maxMessageBytes = 5 * 1024;

/** A compiled rule with the path of its errors below the node. */
interface NodeRule extends CompiledRule {
  fieldPath: string | undefined;
}

/** Reports whether a node of the object is equal to its old value, so that its errors are only warnings. */
export type Unchanged = (path: readonly (string | number)[]) => boolean;

/** The result of {@link validateRules}. */
export interface RuleResult {
  errors: FieldError[];
  /** Errors of unchanged data, which don't reject the update. */
  warnings: FieldError[];
  /** The rest of the budget; negative if rules were skipped. */
  remainingBudget: number;
}

interface Node {
  schema: Schema;
  isRoot: boolean;
  rules: NodeRule[];
  items: Node | undefined;
  values: Node | undefined;
  properties: Map<string, Node>;
  allOf: Node[];
}

const validators = new WeakMap<Schema, { root: Node | undefined }>();

function rulesFor(
  schema: Schema,
  rules: readonly ValidationRule[],
  type: DataType,
  structs: ReadonlyMap<string, StructDeclaration>,
): NodeRule[] {
  return compileRules(rules, type, structs).map((compiled) => ({
    ...compiled,
    fieldPath: fieldPathOf(compiled.rule, schema),
  }));
}

function fieldPathOf({ fieldPath }: ValidationRule, schema: Schema): string | undefined {
  if (!fieldPath) return undefined;
  try {
    return findField(fieldPath, schema).path;
  } catch {
    // Definitions that are older than the check may have an invalid path: errors then have the path of the node.
    return undefined;
  }
}

/**
 * Reports whether a schema has rules, so that objects must be checked with {@link validateRules}.
 *
 * @param schema - the schema
 * @returns true if it or a schema inside has `x-kubernetes-validations`
 */
export function hasRules(schema: Schema | boolean | undefined): boolean {
  if (typeof schema !== "object") return false;
  if ((schema["x-kubernetes-validations"]?.length ?? 0) > 0) return true;
  return (
    hasRules(schema.items) ||
    hasRules(schema.additionalProperties) ||
    (schema.allOf ?? []).some(hasRules) ||
    Object.values(schema.properties ?? {}).some(hasRules)
  );
}

function build(
  rulesOf: Schema,
  schema: Schema,
  isRoot: boolean,
  type: DataType | undefined,
  structs: Map<string, StructDeclaration>,
): Node | undefined {
  const rules = type === undefined ? [] : rulesFor(schema, rulesOf["x-kubernetes-validations"] ?? [], type, structs);
  const node: Node = { schema, isRoot, rules, items: undefined, values: undefined, properties: new Map(), allOf: [] };
  const embedded = (child: Schema) => child["x-kubernetes-embedded-resource"] === true;
  if (rulesOf.items && schema.items)
    node.items = build(rulesOf.items, schema.items, embedded(schema.items), type?.element, structs);
  for (const [name, property] of Object.entries(rulesOf.properties ?? {})) {
    const own = schema.properties?.[name];
    const escaped = escapeName(name);
    if (own === undefined || type === undefined) continue;
    const field =
      escaped === undefined ? dataType(own, embedded(own), `${rootType}.${name}`, structs) : type.fields?.get(escaped);
    if (field === undefined) continue;
    const child = build(property, own, embedded(own), field, structs);
    if (child !== undefined) node.properties.set(name, child);
  }
  const [values, ownValues] = [rulesOf.additionalProperties, schema.additionalProperties];
  if (typeof values === "object" && typeof ownValues === "object") {
    node.values = build(values, ownValues, embedded(ownValues), type?.element, structs);
  }
  for (const part of rulesOf.allOf ?? []) {
    const child = build(part, schema, isRoot, type, structs);
    if (child !== undefined) node.allOf.push(child);
  }
  const used = rules.length > 0 || node.items || node.values || node.properties.size > 0 || node.allOf.length > 0;
  return used ? node : undefined;
}

function validatorOf(schema: Schema): Node | undefined {
  const cached = validators.get(schema);
  if (cached !== undefined) return cached.root;
  const structs = new Map<string, StructDeclaration>();
  const root = hasRules(schema)
    ? build(schema, schema, true, dataType(schema, true, rootType, structs), structs)
    : undefined;
  validators.set(schema, { root });
  return root;
}

/**
 * Evaluates the rules of a custom resource's schema.
 *
 * @param schema - the structural schema of the resource's version; compiled rules are cached by it
 * @param object - the object, which is valid by the schema
 * @param oldObject - its state before the update, or undefined for a create
 * @param unchanged - reports which nodes are unchanged, for ratcheting; without it, all errors count
 * @param budget - the budget of costs
 * @returns the errors in the order of the server
 */
export function validateRules(
  schema: Schema,
  object: JsonObject,
  oldObject?: JsonObject,
  unchanged: Unchanged = () => false,
  budget: number = objectCostBudget,
): RuleResult {
  const run = new Run(unchanged, budget);
  const root = validatorOf(schema);
  if (root !== undefined) run.node(root, "", [], markFloats(object), oldObject);
  return { errors: run.errors, warnings: run.warnings, remainingBudget: run.budget };
}

class Run {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];
  readonly #unchanged: Unchanged;
  budget: number;

  constructor(unchanged: Unchanged, budget: number) {
    this.#unchanged = unchanged;
    this.budget = budget;
  }

  node(
    node: Node,
    field: string,
    path: readonly (string | number)[],
    data: Json | undefined,
    old: Json | undefined,
  ): void {
    if (data === null || data === undefined || this.budget < 0) return;
    this.#rules(node, field, path, data, old ?? undefined);
    for (const part of node.allOf) this.node(part, field, path, data, old);
    if (this.budget < 0) return;
    if (Array.isArray(data)) this.#items(node, field, path, data, old);
    else if (isObject(data)) this.#entries(node, field, path, data, isObject(old) ? old : {});
  }

  #items(
    node: Node,
    field: string,
    path: readonly (string | number)[],
    data: readonly Json[],
    old: Json | undefined,
  ): void {
    if (node.items === undefined) return;
    const keys =
      node.schema["x-kubernetes-list-type"] === "map" ? (node.schema["x-kubernetes-list-map-keys"] ?? []) : undefined;
    const keyOf = (item: Json) => encodeJson(keys?.map((key) => (isObject(item) ? (item[key] ?? null) : null)) ?? null);
    const oldItems = new Map(keys !== undefined && Array.isArray(old) ? old.map((item) => [keyOf(item), item]) : []);
    for (const [index, item] of data.entries()) {
      const oldItem = keys === undefined ? undefined : oldItems.get(keyOf(item));
      this.node(node.items, `${field}[${index}]`, [...path, index], item, oldItem);
    }
  }

  #entries(node: Node, field: string, path: readonly (string | number)[], data: JsonObject, old: JsonObject): void {
    for (const [key, value] of Object.entries(data)) {
      const oldValue = Object.hasOwn(old, key) ? old[key] : undefined;
      if (node.values !== undefined) this.node(node.values, `${field}[${key}]`, [...path, key], value, oldValue);
      const property = node.properties.get(key);
      if (property !== undefined)
        this.node(property, field === "" ? key : `${field}.${key}`, [...path, key], value, oldValue);
    }
  }

  #rules(node: Node, field: string, path: readonly (string | number)[], data: Json, old: Json | undefined): void {
    if (node.rules.length === 0) return;
    const schema = node.isRoot ? withObjectMeta(node.schema) : node.schema;
    const invalid = (detail: string) =>
      this.errors.push({ type: "FieldValueInvalid", field, value: schema.type ?? "", detail });
    const exhausted = (detail: string) => {
      invalid(detail);
      this.budget = -1;
    };
    const noBudget = "validation failed due to running out of cost budget, no further validation rules will be run";
    if (this.budget <= 0) {
      exhausted(noBudget);
      return;
    }
    let self: Value | undefined;
    let oldSelf: Value | undefined;
    for (const { rule, compiled, problem, message, usesOldSelf, fieldPath } of node.rules) {
      if (problem !== undefined) invalid(`rule compile error: ${problem}`);
      if (compiled === undefined || (usesOldSelf && old === undefined && !rule.optionalOldSelf)) continue;
      const activation = (name: string): Value | undefined => {
        if (name === "self") {
          self ??= schemaValue(data, schema);
          return self;
        }
        if (name !== "oldSelf") return undefined;
        if (old !== undefined) oldSelf ??= schemaValue(old, schema);
        if (!rule.optionalOldSelf) return oldSelf;
        return oldSelf === undefined ? noValue : new Optional(oldSelf);
      };
      const { value, error, cost } = compiled.program.evaluate(activation, perCallLimit);
      if (cost > this.budget) {
        exhausted(noBudget);
        return;
      }
      this.budget -= cost;
      const shown = (rule.message || rule.rule).trim();
      if (error instanceof CostLimitExceeded) {
        exhausted(
          `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`,
        );
        return;
      }
      if (error !== undefined) {
        const overload = error.message.startsWith("no such overload");
        invalid(
          overload
            ? `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
            : `${error.message} evaluating rule: ${shown}`,
        );
        continue;
      }
      if (value === true) continue;
      const at = fieldPath === undefined ? field : field === "" ? fieldPath : `${field}.${fieldPath}`;
      const ratcheted = !usesOldSelf && this.#unchanged(path);
      const add = (violation: FieldError) => (ratcheted ? this.warnings : this.errors).push(violation);
      let detail = rule.message ? rule.message.trim() : `failed rule: ${shown}`;
      if (message !== undefined) {
        const evaluated = this.#message(message, rule.messageExpression as string, activation);
        if (evaluated.fatal !== undefined) {
          add({ type: "FieldValueInvalid", field: at, value: schema.type ?? "", detail: evaluated.fatal });
          this.budget = -1;
          return;
        }
        detail = evaluated.text ?? detail;
      }
      const composite = schema.type === "object" || schema.type === "array";
      const shownValue = data instanceof WholeFloat ? data.value : data;
      add(failure(at, composite ? undefined : shownValue, detail, rule.reason));
    }
  }

  /** Evaluates the expression of a message. Without a usable text, the rule's own message applies. */
  #message(
    compiled: CompiledExpression,
    source: string,
    activation: (name: string) => Value | undefined,
  ): { text?: string; fatal?: string } {
    const { value, error, cost } = compiled.program.evaluate(activation, perCallLimit);
    if (cost > this.budget) {
      return {
        fatal:
          "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
      };
    }
    if (error instanceof CostLimitExceeded) {
      return {
        fatal: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${goQuote(source)}`,
      };
    }
    this.budget -= cost;
    if (error instanceof EvaluationError || typeof value !== "string") return {};
    const text = value.trim();
    return text === "" || text.includes("\n") || byteLength(text) > maxMessageBytes ? {} : { text };
  }
}

function failure(field: string, value: Json | undefined, detail: string, reason: string | undefined): FieldError {
  const shown = value === undefined ? {} : { value };
  switch (reason) {
    case "FieldValueForbidden":
      return { type: "FieldValueForbidden", field, detail };
    case "FieldValueRequired":
      return { type: "FieldValueRequired", field, detail };
    case "FieldValueDuplicate":
      return { type: "FieldValueDuplicate", field, ...shown, detail: "" };
    default:
      return { type: "FieldValueInvalid", field, ...shown, detail };
  }
}
