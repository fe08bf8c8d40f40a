import type { JsonObject } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import type { SystemClient } from "../../../client/system-client.ts";
import type { ApiObject } from "../../../model/resource.ts";
import type { Engine } from "../../../registry/scope.ts";
import { EventRecorder } from "./events.ts";

it("writes a repeated event again after it has expired", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const stored = new Map<string, JsonObject>();
  const engine = {
    recordsEvents: true,
    now: () => now,
    elapsed: () => now,
    random: () => 0,
    after: (_: number, call: () => void) => void setImmediate(call),
    stopping: new AbortController().signal,
    resource: () => undefined,
  } as unknown as Engine;
  const client = {
    create: async (_: unknown, event: ApiObject) => void stored.set(event.metadata.name as string, event),
    update: async ({ name }: { name: string }, change: (event: ApiObject) => void) => {
      const event = stored.get(name) as ApiObject | undefined;
      if (event) change(event);
      return event;
    },
  } as unknown as SystemClient;
  const recorder = new EventRecorder(engine, client, { component: "test" });
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default", uid: "u" } } as ApiObject;
  const expectRecorded = async (events: object[]): Promise<void> => {
    recorder.warning(pod, "BackOff", "Back-off restarting failed container");
    await expect.poll(() => [...stored.values()]).toMatchObject(events);
  };
  await expectRecorded([{ count: 1 }]);
  await expectRecorded([{ count: 2 }]);
  stored.clear();
  now += 7_200_000;
  await expectRecorded([{ count: 3, firstTimestamp: "2026-01-01T00:00:00Z", lastTimestamp: "2026-01-01T02:00:00Z" }]);
});
