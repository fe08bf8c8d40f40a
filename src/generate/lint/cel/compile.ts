// The rules of a schema, compiled by the embedded API server's implementation of CEL: what it refuses, kube-apiserver refuses.

import type { CompiledExpression, CompileFailure, StructDeclaration } from "@kubewright/cel/language";
import { compileRuleExpression, type DataType, dataType, rootType } from "@kubewright/cel/rules";
import type { Schema } from "@kubewright/cel/schema";
import { type JSONSchema, mapChildren, type ValidationRule } from "../../schema/model/json-schema.ts";
import type { Site } from "../model/site.ts";

/** A rule or a message expression, compiled. */
export interface RuleExpression {
  readonly rule: ValidationRule;
  /** The position of the rule in its schema. */
  readonly index: number;
  readonly argument: "rule" | "messageExpression";
  readonly result: CompiledExpression | CompileFailure;
}

/** The expressions of a schema. */
export interface CompiledRules {
  /** The type of the value. */
  readonly type: DataType;
  readonly expressions: readonly RuleExpression[];
}

const compiled = { root: new WeakMap<JSONSchema, CompiledRules>(), inner: new WeakMap<JSONSchema, CompiledRules>() };

/**
 * The rules of equal schemas, such as those of several versions: without it, gateway-api's 84 different rules would be compiled 259
 * times, 4 % of the processor time of generate.
 */
const compiledTexts = new Map<string, CompiledRules>();
const mostTexts = 1000;

/** Compiles the rules of a schema, once per run; undefined if rules can't read the value, because it has no type. */
export function compileRules({ schema, parent }: Site): CompiledRules | undefined {
  const isRoot = parent === undefined || schema["x-kubernetes-embedded-resource"] === true;
  const cache = isRoot ? compiled.root : compiled.inner;
  const before = cache.get(schema);
  if (before) return before;
  const text = `${isRoot} ${JSON.stringify(schema, withBigInts)}`;
  const equal = compiledTexts.get(text);
  const rules = equal ? ofSchema(equal, schema) : compile(schema, isRoot);
  if (!rules) return undefined;
  if (compiledTexts.size >= mostTexts) compiledTexts.clear();
  compiledTexts.set(text, rules);
  cache.set(schema, rules);
  return rules;
}

/** Returns the compiled rules of an equal schema with the rules of this schema. */
function ofSchema({ type, expressions }: CompiledRules, schema: JSONSchema): CompiledRules {
  const rules = schema["x-kubernetes-validations"] ?? [];
  return {
    type,
    expressions: expressions.map((expression) => ({ ...expression, rule: rules[expression.index] ?? expression.rule })),
  };
}

function withBigInts(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

function compile(schema: JSONSchema, isRoot: boolean): CompiledRules | undefined {
  const structs = new Map<string, StructDeclaration>();
  const type = dataType(serverSchema(schema), isRoot, rootType, structs);
  if (!type) return undefined;
  const expressions = (schema["x-kubernetes-validations"] ?? []).flatMap((rule, index) =>
    (["rule", "messageExpression"] as const).flatMap((argument) => {
      const text = rule[argument] ?? "";
      if (text.trim() === "") return [];
      return { rule, index, argument, result: compileRuleExpression(text, rule.optionalOldSelf, type, structs) };
    }),
  );
  return { type, expressions };
}

const limits = ["maxItems", "maxProperties", "maxLength"] as const;
const converted = new WeakMap<JSONSchema, JSONSchema>();

/** Converts a schema to the API server's type, which has numbers for limits beyond 2^53. */
export function serverSchema(schema: JSONSchema): Schema {
  return withNumbers(schema) as Schema;
}

function withNumbers(schema: JSONSchema): JSONSchema {
  const before = converted.get(schema);
  if (before) return before;
  const large = limits.filter((limit) => typeof schema[limit] === "bigint");
  const inner = mapChildren(schema, withNumbers);
  const made =
    large.length === 0
      ? inner
      : { ...inner, ...Object.fromEntries(large.map((limit) => [limit, Number(schema[limit])])) };
  converted.set(schema, made);
  return made;
}
