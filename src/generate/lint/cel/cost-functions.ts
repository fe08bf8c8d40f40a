import { type CelValue, computed, isScalar, times, traversal, unclear } from "./value.ts";

/** Returns the result of a call, with a cost that excludes the arguments; undefined if the cost is unknown. */
export type CelFunction = (target: CelValue, args: readonly CelValue[]) => CelValue | undefined;

const one: CelFunction = () => unclear(1);
const parsesFirst: CelFunction = (_, [text]) => text && unclear(traversal(text.size));
const sameText: CelFunction = ({ size }) => computed(traversal(size), "string", size);
const isTrue = (cost: number) => computed(cost, "bool", 1);

/** The estimator counts one part of a pattern per four characters. */
const matching = (text: CelValue, pattern: CelValue) =>
  times(traversal(text.size + 1), Math.ceil(times(pattern.size, 0.25)));

const overElements: CelFunction = ({ type, size, below }) => {
  if (type?.kind === "string") return unclear(traversal(size));
  if (type?.kind !== "list") return undefined;
  const { element } = type;
  const isText = element?.kind === "string" || element?.kind === "bytes";
  return unclear(times(size, 1 + (isText && below === "declared" ? traversal(element.max) : 0)));
};

const join: CelFunction = ({ type, size, below }, [separator]) => {
  const element = below === "declared" ? (type?.element?.max ?? 0) : 0;
  const separators = times(separator?.size ?? 0, Math.max(0, size - 1));
  const length = times(size, element) + separators;
  return computed(traversal(length), "string", length);
};

/** Calls with a receiver. */
export const methods: ReadonlyMap<string, CelFunction> = new Map<string, CelFunction>([
  ["size", ({ type }) => (type ? computed(1, "int", 1) : undefined)],
  ["matches", (text, [pattern]) => pattern && isTrue(matching(text, pattern))],
  ["contains", (text, [part]) => part && text.type && isTrue(times(traversal(text.size), traversal(part.size)))],
  ["startsWith", (text, [part]) => part && text.type && isTrue(traversal(part.size))],
  ["endsWith", (text, [part]) => part && text.type && isTrue(traversal(part.size))],
  ["isSorted", overElements],
  ["sum", overElements],
  ["max", overElements],
  ["min", overElements],
  ["indexOf", overElements],
  ["lastIndexOf", overElements],
  ["lowerAscii", sameText],
  ["upperAscii", sameText],
  ["substring", sameText],
  ["trim", sameText],
  ["replace", ({ size }) => computed(traversal(size, 2), "string", 0)],
  ["split", ({ size }, args) => computed(traversal(size, 2), "list", args.length > 1 ? 0 : size)],
  ["join", join],
  ["find", (text, [pattern]) => pattern && computed(matching(text, pattern), "string", text.size)],
  ["findAll", (text, [pattern]) => pattern && computed(matching(text, pattern), "list", text.size)],
  ["validate", (_, [text]) => text && unclear(times(traversal(text.size), 32))],
]);

/** Calls without a receiver, and those in namespaces. */
export const functions: ReadonlyMap<string, CelFunction> = new Map<string, CelFunction>([
  ["size", (_, [value]) => (value?.type ? computed(1, "int", 1) : undefined)],
  ["dyn", (_, [value]) => value && { ...unclear(1), size: value.size }],
  ["type", () => ({ ...unclear(1), size: Number.POSITIVE_INFINITY })],
  ["int", () => computed(1, "int", 1)],
  ["uint", one],
  ["double", () => computed(1, "double", 1)],
  ["bool", () => computed(1, "bool", 1)],
  ["timestamp", () => computed(1, "timestamp", 1)],
  ["duration", () => computed(1, "duration", 1)],
  ["string", (_, [value]) => value && computed(isScalar(value.type) ? 1 : traversal(value.size), "string", 0)],
  ["url", parsesFirst],
  ["quantity", parsesFirst],
  ["isQuantity", parsesFirst],
  ["semver", parsesFirst],
  ["isSemver", parsesFirst],
  ["cidr", parsesFirst],
  ["isCIDR", parsesFirst],
  ["ip", parsesFirst],
  ["isIP", parsesFirst],
  ["ip.isCanonical", (_, [text]) => text && isTrue(traversal(text.size, 2))],
]);
