// Reviews whose objects grow: the time to answer them must grow linearly.
import { expect, it } from "vitest";
import { expectLinear } from "../../../../../scripts/test-support/growth.ts";
import { createPatch } from "./create-patch.ts";

function nested(depth: number, leaf: unknown, wrap: (value: unknown, level: number) => unknown): unknown {
  let value = leaf;
  for (let level = 0; level < depth; level++) value = wrap(value, level);
  return value;
}

const shapes: Readonly<Record<string, (size: number, leaf: number) => unknown>> = {
  "nested lists": (size, leaf) => nested(size, leaf, (value) => [value]),
  "nested lists with neighbors": (size, leaf) => nested(size, leaf, (value) => [1, value, { a: 1 }]),
  "nested objects": (size, leaf) => nested(size, leaf, (value) => ({ a: value })),
  "lists in objects": (size, leaf) => nested(size, leaf, (value, level) => (level % 2 ? [value] : { a: value })),
  "a list in lists": (size, leaf) =>
    nested(size, [...Array.from({ length: size }, (_, index) => ({ index })), leaf, 1], (value) => [value]),
  items: (size, leaf) => Array.from({ length: size }, (_, index) => ({ name: `n${index}`, value: leaf })),
  fields: (size, leaf) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`f~/${index}`, leaf])),
};

it.each(Object.keys(shapes))("a patch for %s is created in linear time", (name) => {
  const shape = shapes[name] as (size: number, leaf: number) => unknown;
  expectLinear(
    ([before, after]: [unknown, unknown]) => createPatch(before, after),
    (size): [unknown, unknown] => [shape(size, 1), shape(size, 2)],
    // Bodies may have 1,000 levels.
    { from: 60, to: 1000 },
  );
});

it.each(["longer", "shorter"])("a patch for nested lists that are %s is created in linear time", (change) => {
  const at = (size: number, isChanged: boolean): unknown =>
    nested(size, 1, (value) => (isChanged === (change === "longer") ? [value, 2, 3] : [value, 3]));
  expectLinear(
    ([before, after]: [unknown, unknown]) => createPatch(before, after),
    (size): [unknown, unknown] => [at(size, false), at(size, true)],
    { from: 60, to: 1000 },
  );
});

it("a patch for nested lists changes only what differs", () => {
  const [before, after] = [1, 2].map((leaf) => nested(3, leaf, (value) => [0, value, { a: [value] }]));
  expect(createPatch(before, after).map(({ op, path }) => `${op} ${path}`)).toMatchInlineSnapshot(`
    [
      "replace /1/1/1",
      "replace /1/1/2/a/0",
      "replace /1/2/a/0/1",
      "replace /1/2/a/0/2/a/0",
      "replace /2/a/0/1/1",
      "replace /2/a/0/1/2/a/0",
      "replace /2/a/0/2/a/0/1",
      "replace /2/a/0/2/a/0/2/a/0",
    ]
  `);
});
