import { byteLength } from "../../json/bytes.ts";
import { namedFormat } from "../library/format.ts";
import { CostLimitExceeded } from "../values/evaluation-error.ts";
import { ListValue, MapValue, OpaqueValue, Optional, sizeOf, typeName, type Value } from "../values/value.ts";

/** Cost per character of operations that read a text. */
const perCharacter = 0.1;
const perPatternCharacter = 0.25;
const selectorBase = 10;
const perRequirement = 50;

/** The cost of an authorization check, which allows two of them per expression. */
export const authorizationCheckCost = 350_000;

const constantCost = new Set(
  (
    "serviceAccount path group resource subresource namespace name allowed reason error errored masked prefixLength " +
    "family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger " +
    "isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname " +
    "getHost getPort getEscapedPath getQuery"
  ).split(" "),
);
const traversed = new Set(
  "url lowerAscii upperAscii substring trim jsonpatch.escapeKey cidr isIP isCIDR quantity isQuantity semver isSemver".split(
    " ",
  ),
);
const comparisons = /^(less|greater|less_equals|greater_equals)_(string|bytes)$|^(not_)?equals$/;

const size = (value: Value): number => {
  if (value instanceof Optional && value.value !== undefined) return size(value.value);
  if (value instanceof OpaqueValue) return (value as { size?: number }).size ?? 1;
  return sizeOf(value) ?? 1;
};
const scaled = (units: number, factor = perCharacter): number => Math.ceil(units * factor);

/**
 * Computes the cost of a call.
 *
 * @param fn - the function
 * @param overload - the id of its overload, or an empty text if it isn't known before the evaluation
 * @param args - the arguments, the target first
 * @param result - the result
 * @returns the cost without that of the arguments
 */
export function callCost(fn: string, overload: string, args: readonly Value[], result: Value): number {
  const library = libraryCost(fn, overload, args, result);
  if (library !== undefined) return library;
  const first = args[0] as Value;
  const second = args[1] as Value;
  switch (overload) {
    case "starts_with_string":
    case "ends_with_string":
    case "string_to_bytes":
    case "bytes_to_string":
    case "strings_quote":
    case "string_format":
      return scaled(size(first));
    case "in_list":
      return size(second);
    case "add_string":
    case "add_bytes":
      return scaled(size(first) + size(second));
    case "matches_string":
      return scaled(1 + size(first)) * scaled(size(second), perPatternCharacter);
    case "contains_string":
      return scaled(size(first)) * scaled(size(second));
    default:
      return comparisons.test(overload) ? scaled(Math.min(size(first), size(second))) : 1;
  }
}

function libraryCost(fn: string, overload: string, args: readonly Value[], result: Value): number | undefined {
  if (constantCost.has(fn)) return 1;
  const first = args[0] as Value;
  if (traversed.has(fn)) return scaled(size(first));
  switch (fn) {
    case "check":
      return authorizationCheckCost;
    case "fieldSelector":
    case "labelSelector": {
      const length = size(args[1] as Value);
      return selectorBase + scaled(length) + Math.ceil(length * 0.5) * perRequirement;
    }
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return traversal(first);
    case "replace":
    case "split":
      return scaled(size(first), 2 * perCharacter);
    case "join":
      return scaled(size(result), 2 * perCharacter);
    case "find":
    case "findAll":
      return scaled(1 + size(first)) * scaled(size(args[1] as Value), perPatternCharacter);
    case "ip":
      return overload === "cidr_ip" ? 1 : scaled(size(first));
    case "ip.isCanonical":
      return scaled(size(first), 2 * perCharacter);
    case "containsIP":
      return scaled(2 * size(first)) + (overload.endsWith("_string") ? scaled(size(args[1] as Value)) : 0);
    case "containsCIDR":
      return (
        scaled(2 * size(first)) +
        scaled(size(first)) +
        1 +
        (overload.endsWith("_string") ? scaled(size(args[1] as Value)) : 0)
      );
    case "validate": {
      const format = namedFormat(first);
      if (format === undefined) return undefined;
      return scaled(1 + size(args[1] as Value)) * scaled(format.patternSize, perPatternCharacter);
    }
    case "_==_":
      return first instanceof OpaqueValue ? 1 : undefined;
    default:
      return listCost(overload, args, result);
  }
}

/** Returns the cost of the functions of lists that allocate a list. */
function listCost(overload: string, args: readonly Value[], result: Value): number | undefined {
  const list = args[0] as Value;
  const allocating = (factor: number, units: number) => Math.floor(units * factor) + 11;
  const selfCompare = (compared: ListValue) => {
    const text = compared.length > 0 && /^(string|bytes)$/.test(typeName(compared.at(0)));
    return allocating(text ? 2 + perCharacter : 2, compared.length ** 2);
  };
  if (/^list_.*_sortByAssociatedKeys$/.test(overload)) return selfCompare(args[1] as ListValue);
  if (/^list_.*_sort$/.test(overload) || overload === "list_distinct") return selfCompare(list as ListValue);
  switch (overload) {
    case "list_slice":
    case "lists_range":
    case "list_reverse":
      return allocating(1, size(result));
    case "list_sets_contains_list":
    case "list_sets_intersects_list":
      return size(list) * size(args[1] as Value) + 1;
    case "list_sets_equivalent_list":
      return 2 * size(list) * size(args[1] as Value) + 1;
    case "list_flatten":
      return allocating(1, size(list));
    case "list_flatten_int":
      return allocating(Number(args[1]), size(list));
    default:
      return undefined;
  }
}

function traversal(value: Value): number {
  if (typeof value === "string") return Math.floor(byteLength(value) * perCharacter);
  if (value instanceof Uint8Array) return Math.floor(value.length * perCharacter);
  let cost = 0;
  if (value instanceof ListValue) for (const item of value) cost += traversal(item);
  else if (value instanceof MapValue)
    for (const key of value.keys()) cost += traversal(key) + traversal(value.get(key) as Value);
  else return 1;
  return cost;
}

/** Counts the cost of one evaluation. */
export class CostTracker {
  readonly #limit: number;
  total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False once the limit is exceeded: this error can't be absorbed by operators. */
  get within(): boolean {
    return this.total <= this.#limit;
  }

  charge(cost: number): void {
    this.total += cost;
    if (this.total > this.#limit) throw new CostLimitExceeded();
  }
}
