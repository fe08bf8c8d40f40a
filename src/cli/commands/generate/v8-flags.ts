import { setFlagsFromString } from "node:v8";

/**
 * V8 flags for a run of the generators, which is over before optimized code pays off: over the modules of bench/generate.ts, it
 * takes 0.81 of controller-gen's processor time with them and 0.96 without, and 118 MiB instead of 156 (Node 20, at most 0.9 and
 * 140 MiB are allowed). By V8's major version, because V8 prints warnings about flags that it doesn't know.
 */
const flags: Readonly<Record<string, readonly string[]>> = {
  11: ["--interrupt-budget=2000000", "--max-bytecode-size-for-early-opt=0", "--semi-space-growth-factor=1"],
  12: ["--invocation-count-for-turbofan=60000", "--semi-space-growth-factor=1"],
  13: ["--invocation-count-for-turbofan=60000", "--semi-space-growth-factor=1"],
};

/** Sets V8's flags for a process that ends after one run of the generators. */
export function setFlagsForGenerate(): void {
  for (const flag of flags[process.versions.v8.split(".")[0] ?? ""] ?? []) setFlagsFromString(flag);
}
