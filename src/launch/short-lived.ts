import { setFlagsFromString } from "node:v8";

/** By V8's major version, since V8 complains of flags that it doesn't know: those of Node 20, 22 and 24. */
const flags: Readonly<Record<string, readonly string[]>> = {
  "11": ["--interrupt-budget=2000000", "--max-bytecode-size-for-early-opt=0", "--semi-space-growth-factor=1"],
  "12": ["--invocation-count-for-turbofan=60000", "--semi-space-growth-factor=1"],
  "13": ["--invocation-count-for-turbofan=60000", "--semi-space-growth-factor=1"],
};

/** The flags for a version such as `11.3.244.8-node.33`; none for one that isn't known. */
export function shortLifeFlags(v8: string): readonly string[] {
  return flags[v8.split(".")[0] ?? ""] ?? [];
}

/**
 * Tells V8 that this process ends soon. Optimising code takes more time than it saves in a run of half a second, and a young
 * generation that grows takes memory that nobody needs: two small functions of Node's own, optimised before anything else is,
 * bring in three megabytes of compiler. Code that stays hot for long is still optimised.
 */
export function expectShortLife(): void {
  for (const flag of shortLifeFlags(process.versions.v8)) setFlagsFromString(flag);
}
