// Each fault once, with different events. faults-and-events.full.test.ts has all combinations.
import { faultsAndEvents } from "./faults-and-events.ts";

faultsAndEvents([
  ["conflict", "kill -9 of the manager"],
  ["unavailable", "a type error"],
  ["watch-cut", "a new kind"],
  ["webhook-down", "a new version of the CRD"],
  ["pod-fails", "kill -9 of the session and the next one"],
]);
