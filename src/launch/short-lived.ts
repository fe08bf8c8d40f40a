import { setFlagsFromString } from "node:v8";

/** V8 flags by V8's major version, because V8 warns about unknown flags. The versions are those of Node 20, 22 and 24. */
const flags: Readonly<Record<string, readonly string[]>> = {
  "11": ["--interrupt-budget=2000000", "--max-bytecode-size-for-early-opt=0", "--semi-space-growth-factor=1"],
  "12": ["--invocation-count-for-turbofan=60000", "--semi-space-growth-factor=1"],
  "13": ["--invocation-count-for-turbofan=60000", "--semi-space-growth-factor=1"],
};

/** Returns the flags for a V8 version such as `11.3.244.8-node.33`; none for unknown versions. */
export function shortLifeFlags(v8: string): readonly string[] {
  return flags[v8.split(".")[0] ?? ""] ?? [];
}

/**
 * Configures V8 for a short-lived process. In a run of half a second, optimizing code takes more time than it saves, and a growing
 * young generation wastes memory: the compiler alone takes three megabytes for two small functions. Code that stays hot is still
 * optimized.
 */
export function expectShortLife(): void {
  for (const flag of shortLifeFlags(process.versions.v8)) setFlagsFromString(flag);
}
