import { expect, it } from "vitest";
import type { Transport, TransportStream } from "../../transport/transport.ts";
import { Actor } from "../schedule/actor.ts";
import { Scheduler } from "../schedule/scheduler.ts";
import { Network } from "./network.ts";

const usage = { used: () => {}, applied: () => {} };

it("Network contains a watched resource before the watch has begun", () => {
  const actor = new Actor("operator-1");
  const scheduler = new Scheduler(actor, () => 0);
  const network = new Network({ server: {} as Transport, actor, scheduler, usage });
  void network.stream({ method: "GET", path: "/api/v1/configmaps", query: { watch: true } });
  expect(network.watches.size).toBe(0);
  expect([...network.watched]).toEqual(["configmaps"]);
});

it.each(["before", "after"])("Network closes a stream that the server opens %s the process crashes", async (order) => {
  let open = (_: TransportStream): void => {};
  let closed = 0;
  const stream = { close: async () => void closed++ } as TransportStream;
  const server = { stream: () => new Promise<TransportStream>((resolve) => (open = resolve)) } as unknown as Transport;
  const actor = new Actor("operator-1");
  const scheduler = new Scheduler(actor, () => 0);
  const network = new Network({ server, actor, scheduler, usage });
  void network.stream({ method: "GET", path: "/api/v1/configmaps", query: { watch: true } });
  scheduler.turn();
  const crash = (): void => {
    scheduler.end(actor);
    network.cut();
  };
  if (order === "after") crash();
  open(stream);
  await new Promise((resolve) => setImmediate(resolve));
  if (order === "before") crash();
  expect(closed).toBe(1);
});
