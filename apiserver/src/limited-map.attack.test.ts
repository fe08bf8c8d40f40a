import { queryObjects } from "node:v8";
import { expect, it } from "vitest";
import { inZone } from "./cel/time.ts";
import { LimitedMap } from "./limited-map.ts";

it("forgets the oldest entries beyond its limit", () => {
  const map = new LimitedMap<string, number>(3);
  for (let number = 0; number < 100; number++) map.set(`key-${number % 50}`, number);
  expect(map.size).toBe(3);
  expect([map.get("key-46"), map.get("key-49")]).toEqual([undefined, 99]);
  map.set("key-47", -1);
  map.set("new", 100);
  expect([map.get("key-47"), map.get("key-48")]).toEqual([-1, undefined]);
  map.delete("new");
  expect(map.size).toBe(2);
});

it("a rule that reads the zone from objects doesn't fill the memory with the spellings of a zone", ({ task }) => {
  const zone = "America/Argentina/Buenos_Aires";
  const spelling = (bits: number): string =>
    [...zone].map((char, index) => (bits & (1 << (index % 12)) ? char.toUpperCase() : char.toLowerCase())).join("");
  const time = { nanos: 0n } as Parameters<typeof inZone>[0];
  const before = Number(queryObjects(Intl.DateTimeFormat, { format: "count" }));
  const spellings = new Set(Array.from({ length: 200 }, (_, bits) => spelling(bits)));
  for (const text of spellings) expect(inZone(time, text).getUTCHours()).toBe(21);
  expect(spellings.size).toBe(200);
  expect(Number(queryObjects(Intl.DateTimeFormat, { format: "count" })) - before).toBeLessThanOrEqual(101);
  (task.meta as { attempts?: number }).attempts = spellings.size;
});
