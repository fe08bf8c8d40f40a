// Two combinations. faults-and-events.full.test.ts has all combinations.
import { faultsAndEvents } from "./faults-and-events.ts";

faultsAndEvents([
  ["conflict", "kill -9 of the manager"],
  ["unavailable", "a type error"],
]);
