// Deterministic simulation: `import { simulate } from "@kubewright/runtime/simulation"`.

export { always, eventually, type Invariant } from "./checks/invariant.ts";
export type { SimulateOptions } from "./options.ts";
export type { Finding, SimulationReport } from "./report/finding.ts";
export type { TimelineEntry } from "./report/timeline.ts";
export type { FaultName } from "./schedule/fault-names.ts";
export { SimulationError, simulate } from "./simulate.ts";
export type { PatchByName, UserClient } from "./world/user-client.ts";
export type { External, FaultOptions, World } from "./world/world.ts";
