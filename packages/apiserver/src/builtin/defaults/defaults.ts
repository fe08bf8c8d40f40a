import { coreDefaults } from "./core.ts";
import type { Defaulter } from "./defaulter.ts";
import { policyDefaults } from "./policies.ts";
import { workloadDefaults } from "./workloads.ts";

const defaulters: Readonly<Record<string, Defaulter>> = { ...coreDefaults, ...workloadDefaults, ...policyDefaults };

/** Returns the function that sets the defaults of a kind; undefined for kinds without any. */
export function defaultsOf(group: string, version: string, kind: string): Defaulter | undefined {
  return defaulters[`${group}/${version}/${kind}`];
}
