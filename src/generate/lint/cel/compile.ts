// The rules of a schema, compiled by the embedded API server's implementation of CEL: what it refuses, kube-apiserver refuses.

import type { CompiledExpression, CompileFailure, StructDeclaration } from "@kubewright/cel/language";
import { compileRuleExpression, type DataType, dataType, rootType } from "@kubewright/cel/rules";
import type { Schema } from "@kubewright/cel/schema";
import { type JSONSchema, mapChildren, type ValidationRule } from "../../schema/model/json-schema.ts";
import type { Site } from "../model/site.ts";

/** A rule or a message expression, compiled. */
export interface RuleExpression {
  readonly rule: ValidationRule;
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

/** Compiles the rules of a schema, once per run; undefined if rules can't read the value, because it has no type. */
export function compileRules({ schema, parent }: Site): CompiledRules | undefined {
  const isRoot = parent === undefined || schema["x-kubernetes-embedded-resource"] === true;
  const cache = isRoot ? compiled.root : compiled.inner;
  const before = cache.get(schema);
  if (before) return before;
  const structs = new Map<string, StructDeclaration>();
  const type = dataType(serverSchema(schema), isRoot, rootType, structs);
  if (!type) return undefined;
  const expressions = (schema["x-kubernetes-validations"] ?? []).flatMap((rule) =>
    (["rule", "messageExpression"] as const).flatMap((argument) => {
      const text = rule[argument] ?? "";
      if (text.trim() === "") return [];
      return { rule, argument, result: compileRuleExpression(text, rule.optionalOldSelf, type, structs) };
    }),
  );
  const rules = { type, expressions };
  cache.set(schema, rules);
  return rules;
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
