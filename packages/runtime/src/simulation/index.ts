// Deterministic simulation: `import { simulate } from "@kubewright/runtime/simulation"`.

export { always, eventually, type Invariant } from "./checks/invariant.ts";
export type { OldVersion, SimulateOptions, UpgradeOptions } from "./options/options.ts";
export type { Finding, FindingUpgrade, ReportedVersion, SimulationReport } from "./report/finding.ts";
export type { TimelineEntry } from "./report/timeline.ts";
export type { UpgradeChange } from "./report/upgrade-change.ts";
export type { UpgradeVariation } from "./report/upgrade-variation.ts";
export type { FaultName } from "./schedule/fault-names.ts";
export { SimulationError, simulate } from "./simulate.ts";
export type { AllowedChange } from "./upgrade/allowed-change.ts";
export type { PatchByName, UserClient } from "./world/user-client.ts";
export type { External, FaultOptions, World } from "./world/world.ts";
