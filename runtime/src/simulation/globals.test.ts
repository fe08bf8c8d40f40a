import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { shopCrd, shopOperator, shopScenario } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

const base = { crds: [shopCrd], operator: shopOperator, scenario: shopScenario, seeds: 1 };
const failing = async (): Promise<void> => {
  throw new Error("no such shop");
};
const current = (): unknown[] => [setTimeout, setImmediate, Date, Math.random, performance.now, randomUUID, sleep];

it.each<[string, object]>([
  ["that finds nothing", {}],
  ["whose scenario fails", { scenario: failing }],
  ["with an unknown fault", { faults: ["rain"] }],
  ["with an invalid definition", { crds: [{ ...shopCrd, spec: {} }] }],
  ["without an operator", { operator: undefined }],
])("a simulation %s leaves the time and random numbers of the process as they were", async (_name, options) => {
  const before = current();
  await simulate({ ...base, ...options } as typeof base).catch(() => {});
  expect(current()).toEqual(before);
  expect(randomUUID()).not.toBe(randomUUID());
});
