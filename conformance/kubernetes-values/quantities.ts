import type { Random } from "./random.ts";

const suffixes = ["", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const wrongSuffixes = [
  "K",
  "ki",
  "mi",
  "i",
  "Eii",
  "ee",
  "mm",
  "e",
  "e+",
  "E-",
  " ",
  "Zi",
  "e1.5",
  "é",
  "inf",
  "EiB",
  "e99999999999999999999",
];
const numbers = [
  "0",
  "1",
  "9",
  "10",
  "100",
  "512",
  "1000",
  "1023",
  "1024",
  "1025",
  "1536",
  "1048576",
  "9223372036854775807",
];
const edges = [
  "9223372036854775808",
  "9007199254740993",
  "999999999999999999",
  "1000000000000000000",
  "8",
  "16",
  "0000",
  "00012",
];

/** @returns a text that is a quantity, or nearly one */
export function randomQuantity(random: Random): string {
  for (let i = 0; i < 3; i++) random.below(2);
  const digits = (most: number): string =>
    Array.from({ length: random.below(most) }, () =>
      random.pick(["0", "0", "1", "5", "9", String(random.below(10))]),
    ).join("");
  const whole = random.chance(40)
    ? random.pick(numbers)
    : random.chance(20)
      ? random.pick(edges)
      : digits(random.pick([4, 8, 21]));
  const fraction = random.chance(35) ? `.${digits(random.pick([3, 6, 12, 25]))}` : "";
  const sign = random.chance(15) ? random.pick(["-", "-", "+"]) : "";
  let suffix = random.pick(suffixes);
  if (random.chance(20))
    suffix = `${random.pick(["e", "E"])}${random.pick(["", "-", "+"])}${random.below(random.pick([4, 20, 200]))}`;
  if (random.chance(4)) suffix = random.pick(wrongSuffixes);
  let text = sign + whole + fraction + suffix;
  if (random.chance(4)) {
    const at = random.below(text.length + 1);
    text =
      text.slice(0, at) + random.pick(["-", ".", "e", "i", " ", "0", "_", "x", "m"]) + text.slice(at + random.below(2));
  }
  // Longer exponents would keep Go busy.
  return /e[-+]?\d{4,}$/i.test(text) ? "1" : text;
}
