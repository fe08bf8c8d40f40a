// All 40 combinations. faults-and-events.test.ts has a sample of them.
import { events, faults, faultsAndEvents } from "./faults-and-events.ts";

const names = Object.keys(faults) as (keyof typeof faults)[];
faultsAndEvents(names.flatMap((fault) => events.map((event) => [fault, event] as const)));
