import { goQuote } from "@kubewright/cel/json";
import { type Expr, parseBareExpression, Uint } from "@kubewright/cel/language";
import type { Metadata } from "../model/resource.ts";
import { shardHash } from "./shard-hash.ts";

/** Selects the objects whose field has a hash in one of several ranges. */
export interface ShardSelector {
  /** The selector in canonical form. */
  text: string;
  /** Reports whether an object belongs to the shard. */
  matches: (metadata: Metadata) => boolean;
  /** Whether only the namespaces of objects decide. */
  isByNamespace: boolean;
}

/** Returns the fields that can be hashed. The objects of the cluster have an empty namespace. */
const fields: Readonly<Record<string, (metadata: Metadata) => string>> = {
  "object.metadata.uid": ({ uid = "" }) => uid,
  "object.metadata.namespace": ({ namespace = "" }) => namespace,
};

/** A half-open range of hashes, whose ends are hexadecimal numbers of 16 digits, or 2^64. */
interface ShardRange {
  field: string;
  start: string;
  end: string;
}

const upperBound = "0x10000000000000000";

/** The numbers that messages have for the kinds of nodes, which are those of cel-go. */
const kindNumbers: Readonly<Record<Expr["kind"], number>> = {
  call: 1,
  comprehension: 2,
  ident: 3,
  list: 4,
  literal: 5,
  map: 6,
  select: 7,
  struct: 8,
};

/**
 * Parses a shard selector: calls of `shardRange`, joined by `||`.
 *
 * @param text - the selector, such as `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')`
 * @returns the selector
 * @throws Error with kube-apiserver's message if the text isn't a shard selector
 */
export function parseShardSelector(text: string): ShardSelector {
  const expression = trimSpace(text);
  if (expression === "") {
    throw new Error("empty shard selector is not allowed; omit the parameter for unfiltered lists");
  }
  const ranges = [...operands(parsed(expression))].map(readRange);
  const { field } = ranges[0] as ShardRange;
  const other = ranges.find((range) => range.field !== field);
  if (other !== undefined) {
    throw new Error(`all shard ranges must use the same field, got ${goQuote(field)} and ${goQuote(other.field)}`);
  }
  const read = fields[field] as (metadata: Metadata) => string;
  const bounds = ranges.map(({ start, end }) => [BigInt(start), BigInt(end)] as const);
  const includes = (value: string): boolean => {
    const hash = shardHash(value);
    return bounds.some(([start, end]) => start <= hash && hash < end);
  };
  // The objects of a namespace follow each other in lists.
  let last = { value: "", isIncluded: includes("") };
  return {
    text: ranges.map(({ start, end }) => `shardRange(${field}, '${start}', '${end}')`).join(" || "),
    matches(metadata) {
      const value = read(metadata);
      if (value !== last.value) last = { value, isIncluded: includes(value) };
      return last.isIncluded;
    },
    isByNamespace: field === "object.metadata.namespace",
  };
}

/** Removes what Go counts as spaces, which aren't the characters that JavaScript removes. */
function trimSpace(text: string): string {
  return text.replace(/^\p{White_Space}+|(?<!\p{White_Space})\p{White_Space}+$/gu, "");
}

function parsed(expression: string): Expr {
  try {
    return parseBareExpression(expression);
  } catch (error) {
    throw new Error(`CEL parse error: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the operands of `||`, from left to right. */
function* operands(expr: Expr): Iterable<Expr> {
  if (expr.kind !== "call" || expr.fn !== "_||_") yield expr;
  else for (const operand of expr.args) yield* operands(operand);
}

function readRange(expr: Expr): ShardRange {
  if (expr.kind !== "call") {
    throw new Error(`unexpected expression kind ${kindNumbers[expr.kind]}; expected shardRange() call or || operator`);
  }
  const { fn, args } = expr;
  if (fn !== "shardRange") {
    throw new Error(`unsupported function ${goQuote(fn)}; only shardRange() and || are allowed`);
  }
  if (args.length !== 3) throw new Error(`shardRange() requires exactly 3 arguments, got ${args.length}`);
  const [path, first, last] = args as [Expr, Expr, Expr];
  const field = fieldPath(path);
  if (!Object.hasOwn(fields, field)) {
    throw new Error(`unsupported field path ${goQuote(field)}; supported: ${Object.keys(fields).join(", ")}`);
  }
  const start = readBound(first, "hexStart");
  const end = readBound(last, "hexEnd");
  if (BigInt(start) >= BigInt(end)) throw new Error(`shard range start ${start} must be less than end ${end}`);
  return { field, start, end };
}

function fieldPath(expr: Expr): string {
  const names: string[] = [];
  let node = expr;
  while (node.kind === "select") {
    names.unshift(node.field);
    node = node.operand;
  }
  if (node.kind === "ident") return [node.name, ...names].join(".");
  const problem = `expected field path (e.g. object.metadata.uid), got expression kind ${kindNumbers[node.kind]}`;
  throw new Error(`shardRange() first argument: ${problem}`);
}

function readBound(expr: Expr, name: string): string {
  if (expr.kind !== "literal") {
    const kind = kindNumbers[expr.kind];
    throw new Error(`${name} must be a string literal (e.g. '0xff'), got expression kind ${kind}`);
  }
  const { value } = expr;
  if (typeof value !== "string") throw new Error(`${name} must be a string literal, got ${goType(value)}`);
  if (!value.startsWith("0x")) throw new Error(`${name} must have '0x' prefix, got ${goQuote(value)}`);
  const digits = value.slice(2);
  if (digits === "") throw new Error(`${name}: hex value is required after '0x'`);
  const size = Buffer.byteLength(digits);
  if (size > 17) throw new Error(`${name}: hex value too long (${size} chars, max 17): ${goQuote(digits)}`);
  const wrong = /[^0-9a-f]/u.exec(digits);
  if (wrong !== null) throw new Error(`${name}: invalid hex character ${goQuote(wrong[0])} in ${goQuote(value)}`);
  if (size === 17 && value !== upperBound) {
    throw new Error(`${name}: 17-digit hex value must be '${upperBound}' (2^64), got ${goQuote(value)}`);
  }
  if (size < 16) {
    const padded = goQuote(`0x${digits.padStart(16, "0")}`);
    throw new Error(
      `${name} must be a 0x-prefixed 16-digit hex value, got ${goQuote(value)} (did you mean ${padded}?)`,
    );
  }
  return value;
}

/** Returns the Go type of a constant. */
function goType(value: unknown): string {
  if (value === null) return "structpb.NullValue";
  if (typeof value === "bigint") return "int64";
  if (value instanceof Uint) return "uint64";
  if (value instanceof Uint8Array) return "[]uint8";
  return typeof value === "number" ? "float64" : "bool";
}
