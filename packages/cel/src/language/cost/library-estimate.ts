import type { CallEstimate, SizedNode, SizeOfPath } from "./node.ts";
import { add, fixed, maxCost, type Range, scale, times, unknown } from "./range.ts";

const constantCost = new Set(
  (
    "serviceAccount path group resource subresource namespace name allowed reason error errored masked prefixLength " +
    "family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger " +
    "isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname " +
    "getHost getPort getEscapedPath getQuery"
  ).split(" "),
);
const parsed = new Set("cidr isIP isCIDR quantity isQuantity semver isSemver".split(" "));
const maxFormatSize = 64;
const maxFormatPattern = 128;

/**
 * Estimates calls of Kubernetes' libraries and of the extensions.
 *
 * @returns the estimate without the arguments, or undefined for functions of the language
 */
export function estimateLibraryCall(
  fn: string,
  overload: string,
  target: SizedNode | undefined,
  args: readonly SizedNode[],
  sizeOf: SizeOfPath,
): CallEstimate | undefined {
  const size = (node: SizedNode | undefined): Range => node?.size ?? boundOf(node?.path, sizeOf) ?? unknown;
  const list = estimateListCall(overload, target, args, size);
  if (list !== undefined) return list;
  if (constantCost.has(fn)) return { cost: fixed(1) };
  const first = args[0];
  if (parsed.has(fn)) return first && { cost: scale(size(first), 0.1) };
  switch (fn) {
    case "check":
      return { cost: fixed(350_000) };
    case "fieldSelector":
    case "labelSelector":
      return { cost: add(add(fixed(10), scale(size(first), 0.1)), scale(scale(size(first), 0.5), 50)) };
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return target && { cost: traversal(target, size, sizeOf) };
    case "url":
    case "jsonpatch.escapeKey":
      return first && { cost: scale(size(first), 0.1), size: size(first) };
    case "lowerAscii":
    case "upperAscii":
    case "substring":
    case "trim":
      return target && { cost: scale(size(target), 0.1), size: size(target) };
    case "replace":
      return target && { cost: scale(size(target), 0.2), size: replacedSize(size(target), size(first), size(args[1])) };
    case "split": {
      const limit = args[1]?.expr;
      const max =
        limit?.kind === "literal" && typeof limit.value === "bigint"
          ? Number(BigInt.asUintN(64, limit.value))
          : size(target).max;
      return target && { cost: scale(size(target), 0.2), size: { min: 0, max } };
    }
    case "join":
      return target && joined(target, first, size, sizeOf);
    case "find":
    case "findAll":
      return (
        target && {
          cost: times(scale(add(size(target), fixed(1)), 0.1), scale(size(first), 0.25)),
          size: { min: 0, max: size(target).max },
        }
      );
    case "ip":
      return overload === "cidr_ip" ? { cost: fixed(1) } : first && { cost: scale(size(first), 0.1) };
    case "ip.isCanonical":
      return { cost: scale(size(first), 0.2) };
    case "containsIP":
    case "containsCIDR": {
      const base = scale({ min: 8, max: 32 }, 0.1);
      const masked = fn === "containsIP" ? base : add(base, add(scale({ min: 4, max: 16 }, 0.1), fixed(1)));
      return { cost: overload.endsWith("_string") ? add(masked, scale(size(first), 0.1)) : masked };
    }
    case "validate":
      return { cost: scale(scale(size(first), 0.1), maxFormatPattern * 0.25) };
    case "_==_":
      return equality(args);
    default:
      return undefined;
  }
}

/** A difference of unsigned numbers, which is very large if it would be negative. */
const unsigned = (value: number): number => (value < 0 ? value + maxCost : value);

function boundOf(path: readonly string[] | undefined, sizeOf: SizeOfPath): Range | undefined {
  const max = path === undefined || path.length === 0 ? undefined : sizeOf(path);
  return max === undefined ? undefined : { min: 0, max };
}

function elementSize(list: SizedNode, sizeOf: SizeOfPath): Range {
  return (list.path.length === 0 ? undefined : boundOf([...list.path, "@items"], sizeOf)) ?? unknown;
}

function traversal(target: SizedNode, size: (node: SizedNode) => Range, sizeOf: SizeOfPath): Range {
  const element = target.type.params[0];
  if (element === undefined) return scale(size(target), 0.1);
  const text = element.kind === "string" || element.kind === "bytes";
  const perItem = text ? add(fixed(1), scale(elementSize(target, sizeOf), 0.1)) : fixed(1);
  return times(size(target), perItem);
}

function joined(
  target: SizedNode,
  separator: SizedNode | undefined,
  size: (node: SizedNode) => Range,
  sizeOf: SizeOfPath,
): CallEstimate {
  const count = size(target);
  let total = target.type.params.length > 0 ? times(count, elementSize(target, sizeOf)) : fixed(0);
  if (separator !== undefined) {
    total = add(total, times(size(separator), { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) }));
  }
  return { cost: scale(total, 0.1), size: total };
}

function replacedSize(text: Range, old: Range, replacement: Range): Range {
  const largest = () => {
    if (old.min === 0) return (text.max + 1) * replacement.max + text.max;
    if (replacement.max <= old.min) return text.max;
    return Math.ceil(text.max / old.min) * replacement.max;
  };
  const smallest = () => {
    if (old.max === 0) return (text.min + 1) * replacement.min + text.min;
    if (old.max <= replacement.min) return text.min;
    return Math.ceil(text.min / old.max) * replacement.min;
  };
  return add({ min: smallest(), max: largest() }, fixed(0));
}

function equality(args: readonly SizedNode[]): CallEstimate | undefined {
  const [left, right] = args;
  if (left === undefined || right === undefined || left.type.name !== right.type.name) return undefined;
  switch (left.type.name) {
    case "kubernetes.NamedFormat":
      return { cost: scale({ min: 1, max: maxFormatSize }, 0.1) };
    case "kubernetes.URL":
      return { cost: scale({ min: 1, max: right.size?.max ?? 1 }, 0.1) };
    default:
      return /^(net|kubernetes)\./.test(left.type.name) ? { cost: fixed(1) } : undefined;
  }
}

function estimateListCall(
  overload: string,
  target: SizedNode | undefined,
  args: readonly SizedNode[],
  size: (node: SizedNode | undefined) => Range,
): CallEstimate | undefined {
  const allocating = (factor: number, result: Range): CallEstimate => ({
    cost: add(scale(result, factor), fixed(11)),
    size: result,
  });
  const integer = (node: SizedNode | undefined, otherwise: number): number => {
    const value = node?.expr?.kind === "literal" ? node.expr.value : undefined;
    return typeof value === "bigint" ? Math.max(0, Number(value)) : otherwise;
  };
  const square = (node: SizedNode | undefined, text: boolean) =>
    allocating(text ? 2.1 : 2, times(size(node), size(node)));
  const sorted = /^list_(\w+)_sort(ByAssociatedKeys)?$/.exec(overload);
  if (sorted !== null)
    return square(sorted[2] === undefined ? target : args[0], /^(string|bytes)$/.test(sorted[1] as string));
  switch (overload) {
    case "list_slice":
      return allocating(1, fixed(unsigned(integer(args[1], size(target).max) - integer(args[0], 0))));
    case "lists_range":
      return allocating(1, fixed(integer(args[0], unknown.max)));
    case "list_reverse":
      return allocating(1, size(target));
    case "list_flatten":
      return allocating(1, size(target));
    case "list_flatten_int":
      return allocating(integer(args[0], unknown.max), size(target));
    case "list_distinct":
      return square(target, false);
    case "list_sets_contains_list":
    case "list_sets_intersects_list":
    case "list_sets_equivalent_list":
      return {
        cost: add(scale(times(size(args[0]), size(args[1])), overload.includes("equivalent") ? 2 : 1), fixed(1)),
      };
    default:
      return undefined;
  }
}
