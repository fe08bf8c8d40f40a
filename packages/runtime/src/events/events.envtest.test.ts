// The API server must accept the events of objects with any name, and any text.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLiveClient } from "../client/live-client.ts";
import { systemClock } from "../clock/clock.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { silentLogger } from "../log/logger.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import { EventBroadcaster } from "./broadcaster.ts";
import { Event } from "./event.ts";

const environment = new TestEnvironment();
let transport: Transport;

beforeAll(async () => {
  transport = createTransport(await environment.start());
});
afterAll(async () => {
  await transport?.close();
  await environment.stop();
});

it("the API server accepts events for objects with any name, with long notes and all characters", async () => {
  const client = createLiveClient({ transport, mapper: createRestMapper(transport) });
  const errors: unknown[] = [];
  const log = { ...silentLogger, error: (error: unknown) => void errors.push(error) };
  const broadcaster = new EventBroadcaster({ client, clock: systemClock, log });
  const recorder = broadcaster.recorder("test-controller");
  const names = ["plain", "system:node", "A_b", "-", `${"x".repeat(253)}`, `${"a.".repeat(126)}a`, "ä"];
  const notes = [
    "",
    "x".repeat(1024),
    "x".repeat(1025),
    "€".repeat(2000),
    "a\u{1f600}".repeat(500),
    "\ud800".repeat(900),
  ];
  for (const name of names) {
    for (const [index, note] of notes.entries()) {
      const object = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name, uid: "u" } };
      recorder.event(object, "Warning", `Reason${index}${"R".repeat(index * 40)}`, note, { related: object });
    }
  }
  await broadcaster.stop();
  expect(errors).toEqual([]);
  const { items } = await client.list(Event, { namespace: "default" });
  const ours = items.filter(({ reportingController }) => reportingController === "test-controller");
  expect(ours).toHaveLength(names.length * notes.length);
});
