import { expect, it } from "vitest";
import { Random } from "../../../../conformance/kubernetes-values/random.ts";
import { printYaml } from "./print.ts";
import { readYamlDocument } from "./read.ts";
import type { YamlValue } from "./values.ts";

const texts = [
  ..."yes No on y ~ null 0644 0o17 0x1F 1_000 08 1e3 +1 .5 1. .5_0 1_ +_1 0B1 0O7 1:20 2020-01-01 .inf .nan << = -0b_1".split(
    " ",
  ),
  ..."9007199254740993 18446744073709551616 0x1ffffffffffffffff 1e400 a:b a#b - ? : -a ?a !a &a *a %a @a `a".split(" "),
  ...[
    "",
    " ",
    "a: b",
    "a #b",
    "a\nb",
    "a\n",
    "\n",
    " a",
    "a ",
    "\ta",
    "a\r\nb",
    "\x85",
    "\u2028",
    "\ufeff",
    "\x07",
    "😀",
  ],
  ...["- a", "[a", "{a", "'", '"', "\\", "---", "...", "--- a", "a\n\n b\n", "#", "2001-12-14 21:59:43"],
];

it("what is printed is read as the same value", () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const random = new Random(seed);
    const value = (depth: number): YamlValue => {
      const kind = random.below(depth > 3 ? 5 : 8);
      if (kind < 3) return random.pick(texts) + (random.chance(10) ? random.pick(texts) : "");
      if (kind === 3) return random.pick([0, 1, -1, 1.5, 1e21, 1e-7, 420, 9007199254740993n, -9223372036854775808n]);
      if (kind === 4) return random.pick([true, false, null]);
      const items = Array.from({ length: random.below(4) }, () => value(depth + 1));
      if (kind === 5) return items;
      return Object.fromEntries(
        items.map((item, index) => [`${random.pick(texts)}${random.chance(50) ? index : ""}`, item]),
      );
    };
    const original = { value: value(0) };
    expect(readYamlDocument(printYaml(original)).value, printYaml(original)).toEqual(original);
    expect(readYamlDocument(printYaml(original, '"')).value).toEqual(original);
  }
});
