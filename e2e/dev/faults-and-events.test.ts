// One combination, and other tests of a session with webhooks. faults-and-events.full.test.ts has all combinations.
import { faultsAndEvents } from "./faults-and-events.ts";
import { testWebhookSession } from "./webhook-session.ts";

faultsAndEvents([["unavailable", "a type error"]], testWebhookSession);
