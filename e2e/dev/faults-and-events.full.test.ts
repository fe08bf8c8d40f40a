// All 40 combinations of a fault and an event, and other tests of a session with webhooks.
import { events, faults, faultsAndEvents } from "./faults-and-events.ts";
import { testWebhookSession } from "./webhook-session.ts";

const names = Object.keys(faults) as (keyof typeof faults)[];
faultsAndEvents(
  names.flatMap((fault) => events.map((event) => [fault, event] as const)),
  testWebhookSession,
);
