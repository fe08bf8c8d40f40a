// Random shard selectors: valid ones, and ones with mistakes in their text, names, arguments and numbers.
import type { Random } from "../api-schemas/random-schemas.ts";

const fields = ["object.metadata.uid", "object.metadata.namespace"];
const edges = [0n, 1n, 0xffn, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n];

/** Writes a bound as kube-apiserver requires it. */
export const bound = (value: bigint): string => `0x${value.toString(16).padStart(16, "0")}`;

function hash(random: Random): bigint {
  if (random.chance(0.3)) return random.pick(edges);
  return (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32));
}

function range(field: string, start: bigint, end: bigint): string {
  return `shardRange(${field}, '${bound(start)}', '${bound(end)}')`;
}

/**
 * Creates a valid selector.
 *
 * @param random - decides everything
 * @param field - the field that is hashed; by default a random one
 * @returns the selector
 */
export function validSelector(random: Random, field = random.pick(fields)): string {
  const ranges = Array.from({ length: 1 + random.below(4) }, () => {
    const [a, b] = [hash(random), hash(random)];
    if (a === b) return range(field, 0n, 2n ** 64n);
    return a < b ? range(field, a, b) : range(field, b, a);
  });
  const joined = ranges.join(random.pick([" || ", "||", "\n||\t"]));
  return random.chance(0.1) ? `(${joined})` : random.chance(0.1) ? ` ${joined}\n` : joined;
}

const operands = [
  ..."object object.metadata object.metadata.name object.metadata.uid metadata.uid .object.metadata.uid".split(" "),
  ..."object.metadata.labels['a'] object.metadata().uid object.?metadata.uid object.`metadata`.uid as object.as".split(
    " ",
  ),
  ..."5 -5 0x5 5u 2.5 true null b'0xff' '' '0x' 'ff' '0xff' '0xFF' \"0x00000000000000ff\" r'0x00000000000000ff'".split(
    " ",
  ),
  ..."'0x00000000000000zz' '0x20000000000000000' '0x100000000000000000' '0xé000000000000000' '''0x00000000000000ff'''".split(
    " ",
  ),
  ..."[] [1] [?a] {} {1:2} {?a:b} Message{} Message{a:1} a[0] a[?0] -a !a !!a a+b a&&b a?b:c a==b a.b() has(a.b) a.all(x,x)".split(
    " ",
  ),
  "'0x00000000\\u0030000000ff'",
  "99999999999999999999",
  "'\\x30'",
];

const pieces = [
  ..."()[]{}.,|&?:!-+'\"`\\#$@\n \tax0é".split(""),
  "||",
  "&&",
  "in",
  "'0x",
  "shardRange",
  "0x",
  "/*",
  "//",
];

const mistakes: readonly ((random: Random, selector: string) => string)[] = [
  // Another operand in place of an argument.
  (random, selector) => {
    const parts = selector.split(/(, |\(|\))/);
    parts[2 * random.below(Math.ceil(parts.length / 2))] = random.pick(operands);
    return parts.join("");
  },
  // A character or word more, less or in place of another one.
  (random, selector) => {
    const at = random.below(selector.length + 1);
    return selector.slice(0, at) + random.pick(pieces) + selector.slice(at + random.below(3));
  },
  (random, selector) => selector.slice(0, random.below(selector.length)),
  (random, selector) => {
    const at = random.below(selector.length);
    return selector.slice(0, at) + selector.slice(at + 1 + random.below(4));
  },
  (random, selector) => `${selector} ${random.pick(["||", "&&", "|", "or", "==", "? a :"])} ${random.pick(operands)}`,
  (random, selector) => `${selector} || ${validSelector(random)}`,
  (random, selector) =>
    selector.replace(
      "shardRange",
      random.pick(["shardrange", "object.shardRange", ".shardRange", "x.y.shardRange", "f"]),
    ),
  (random, selector) => selector.replace(/, [^,]*$/, random.pick(["", ")", ", 'a', 'b')", ",)"])),
  (random, selector) => selector.replace(/'0x[0-9a-f]+'/, () => random.pick(operands)),
  (random) => random.pick(operands),
  (random) => random.pick(["", " ", "\u00a0", "\u0085", "\ufeff", "\t\n", "()", "shardRange", "shardRange()"]),
  (_random, selector) => selector.toUpperCase(),
  (random, selector) => {
    const depth = 1 + random.below(4);
    return "(".repeat(depth) + selector + ")".repeat(random.chance(0.8) ? depth : depth - 1);
  },
];

/**
 * Creates a selector, of which about a third is valid.
 *
 * @param random - decides everything
 * @returns the selector
 */
export function randomSelector(random: Random): string {
  let selector = validSelector(random);
  for (let count = random.below(3); count > 0; count--) selector = random.pick(mistakes)(random, selector);
  return selector;
}
