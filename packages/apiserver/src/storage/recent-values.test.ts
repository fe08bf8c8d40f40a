import { expect, test } from "vitest";
import { RecentValues } from "./recent-values.ts";

test("a value is computed once while its key is among the recent ones", () => {
  const values = new RecentValues<{ id: number }, string>(3);
  const computed: number[] = [];
  const read = (key: { id: number }) =>
    values.get(key, ({ id }) => {
      computed.push(id);
      return `value ${id}`;
    });
  const keys = Array.from({ length: 10 }, (_, id) => ({ id }));
  const first = keys[0] as { id: number };
  for (const key of keys) {
    expect(read(key)).toBe(`value ${key.id}`);
    expect(read(first)).toBe("value 0");
  }
  expect(computed).toEqual(keys.map(({ id }) => id));
});

test("values of keys that weren't used recently are dropped", () => {
  const values = new RecentValues<{ id: number }, object>(3);
  const keys = Array.from({ length: 10 }, (_, id) => ({ id }));
  const before = keys.map((key) => values.get(key, () => ({})));
  const kept = keys.filter((key, i) => values.get(key, () => ({})) === before[i]);
  expect(kept.length).toBeLessThanOrEqual(6);
});
