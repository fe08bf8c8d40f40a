// Compares the fake client with a real API server for random objects.
import { describe, it } from "vitest";
import { seededNumbers } from "../json/random.fixture.ts";
import { fakeAndReal, type Step, sample } from "./same-as-server.fixture.ts";

const servers = fakeAndReal();

describe("K14: the fake client with random objects", () => {
  it("accepts, rejects and stores them like a server, for creations and changes", async () => {
    const random = seededNumbers(18);
    for (let round = 0; round < 150; round++) {
      const name = `s${round}`;
      const [first, second] = [randomSpec(random), randomSpec(random)];
      const what = JSON.stringify([first, second]);
      const steps: Step[] = [
        (client) => client.create(sample(name, first)),
        (client, last) => client.update({ ...last, spec: { ...first, ...second } as never }),
        (client) => client.apply(sample(name, second), { fieldOwner: "one", force: true }),
        (client) => client.apply(sample(name, first), { fieldOwner: "two", force: true }),
        (client) => client.apply(sample(name, {}), { fieldOwner: "one", force: true }),
      ];
      await servers.expectSame(steps, sample(name), what);
    }
  });
});

const TYPED = [
  "text",
  "one",
  "flag",
  "count",
  "even",
  "ratio",
  "mode",
  "level",
  "port",
  "maybe",
  "preset",
  "list",
  "single",
  "tags",
];
const SHAPED = ["nested", "needy", "entries", "named", "labels", "fixed", "open", "either", "some"];

// Servers reject applies of values with a wrong type with 500 and the names of Go types, so these aren't compared.
function randomSpec(random: (below: number) => number): Record<string, unknown> {
  const pick = <T>(...values: readonly T[]): T => values[random(values.length)]!;
  const text = (): string => pick("a", "b", "ab", "abc", "ABCDEF", "");
  const some = <T>(make: () => T, most = 4): T[] => Array.from({ length: random(most) }, make);
  const fields: Record<string, () => unknown> = {
    text,
    one: text,
    flag: () => pick(true, false),
    count: () => pick(0, 1, 10, 11),
    even: () => pick(0, 2, 3, 100),
    ratio: () => pick(0.25, 0.5, 1, 1.5),
    mode: () => pick("Fast", "Slow", "None"),
    level: () => pick(1, 3, 4),
    port: () => pick<unknown>(80, "http"),
    maybe: text,
    preset: text,
    list: () => some(text, 5),
    single: () => some(() => random(3), 3),
    tags: () => [...new Set(some(text))],
    nested: () => pick({}, { inner: text() }, { more: { deep: random(3) } }, { more: {} }),
    needy: () => pick({}, { must: text() }, { other: text() }),
    entries: () =>
      distinct(
        some(() => ({ name: pick("a", "b"), ...pick({}, { port: pick(80, 81) }), ...pick({}, { value: text() }) })),
        ({ name, port = 80 }: { name: string; port?: number }) => `${name}${port}`,
      ),
    named: () =>
      distinct(
        some(() => ({ name: pick("a", "b", "c"), ...pick({}, { value: text() }) })),
        ({ name }) => name,
      ),
    labels: () => Object.fromEntries(some(() => [pick("x", "y", "z"), text()])),
    fixed: () => pick({}, { a: text() }, { b: text() }),
    open: () => pick<object>({}, { x: [1] }, { x: { y: text() } }, { known: { a: text() } }),
    either: () => pick({}, { a: text() }, { b: text() }, { a: text(), b: text() }),
    some: () => pick({}, { a: text() }, { b: text() }),
  };
  return Object.fromEntries([...TYPED, ...SHAPED].filter(() => random(4) === 0).map((name) => [name, fields[name]!()]));
}

function distinct<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
