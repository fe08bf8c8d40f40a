import {
  addQuantities,
  approximateFloat,
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  negateQuantity,
  parseQuantity,
  QuantityError,
  roundQuantity,
} from "@kubewright/cel/quantity";
import { expect, it } from "vitest";
import { askOracle } from "./oracle.ts";
import { randomQuantity } from "./quantities.ts";
import { Random } from "./random.ts";

const count = 20_000;
const formats = { decimal: "DecimalSI", binary: "BinarySI", exponent: "DecimalExponent" };

interface Request {
  op: string;
  text: string;
  other: string;
  factor: number;
  scale: number;
}

function answer({ op, text, other, factor, scale }: Request): Record<string, unknown> {
  try {
    const first = parseQuantity(text);
    if (op === "quantity") {
      const float = approximateFloat(first);
      return {
        text: formatQuantity(first),
        format: formats[first.format],
        sign: compareQuantities(first, parseQuantity("0")),
        float,
      };
    }
    const second = parseQuantity(other);
    return {
      order: compareQuantities(first, second),
      sum: formatQuantity(addQuantities(first, second)),
      difference: formatQuantity(addQuantities(first, negateQuantity(second))),
      product: formatQuantity(multiplyQuantity(first, BigInt(factor))),
      rounded: formatQuantity(roundQuantity(first, scale)),
    };
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return { error: error.message };
  }
}

function go(values: Record<string, unknown>): Record<string, unknown> {
  const { value: _, milli: __, dec: ___, ...rest } = values;
  return "float" in rest ? { ...rest, float: Number(String(rest.float).replace("Inf", "Infinity")) } : rest;
}

it(`${count} quantities have the form, value, sums and errors of apimachinery`, () => {
  const requests = Array.from({ length: count }, (_, index): Request[] => {
    const text = randomQuantity(new Random(index * 7919 + 13));
    const other = randomQuantity(new Random(index * 104729 + 5));
    const input = { text, other, factor: (index % 7) - 3, scale: [-6, -3, 0, 3][index % 4] as number };
    return [
      { op: "quantity", ...input },
      { op: "operation", ...input },
    ];
  }).flat();
  const answers = askOracle(requests);
  const different = requests.filter(
    (request, index) => JSON.stringify(sorted(answer(request))) !== JSON.stringify(sorted(go(answers[index] as never))),
  );
  expect(different).toEqual([]);
  expect(answers.filter(({ error }) => error === undefined).length).toBeGreaterThan(requests.length / 2);
});

const sorted = (fields: Record<string, unknown>): [string, unknown][] =>
  Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
