import { expect, it } from "vitest";
import type { Transport } from "../../transport/transport.ts";
import { Actor } from "../schedule/actor.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { Network } from "./network.ts";

it("Network contains a watched resource before the watch has begun", () => {
  const actor = new Actor("operator-1");
  const scheduler = new Scheduler(actor, () => 0);
  const network = new Network({ server: {} as Transport, actor, scheduler, onUse: () => {}, onApply: () => {} });
  void network.stream({ method: "GET", path: "/api/v1/configmaps", query: { watch: true } });
  expect(network.watches.size).toBe(0);
  expect([...network.watched]).toEqual(["configmaps"]);
});
