import { expect, it } from "vitest";
import { always, eventually } from "./checks/invariant.ts";
import { Book, life, Process, rules } from "./rules-of-runtime.fixture.ts";
import { shopCrd } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

const seeds = Number(process.env.KUBEWRIGHT_SEEDS ?? 1000);

it("leader election, own writes, queue and informers keep the rules of controller-runtime", async () => {
  let book = new Book();
  const { findings, schedules } = await simulate({
    crds: [shopCrd],
    seeds,
    replicas: 2,
    scenario: (world) => life(world, () => book.checkInformed(world)),
    external: () => {
      book = new Book();
      return {};
    },
    operator: async (mgr, world) => {
      const process = new Process(mgr, world, book);
      book.processes.push(process);
      await process.setUp();
    },
    invariants: [
      eventually(rules.complete, (world) => book.checkReconciled(world)),
      ...Object.values(rules).map((rule) => always(rule, () => book.check(rule))),
    ],
  });
  expect([findings, schedules]).toEqual([[], seeds + 1]);
}, 86_400_000);
