/** The flags to set, and a pattern for user-provided flags that disable them. */
const settings = [
  { flags: ["--semi-space-growth-factor=1"], decided: /--(min-|max-)?semi-space-|--optimize-for-size/ },
  // V8 collects the old generation when it has grown by the size of its live objects, but at least by 8 MiB. Incremental
  // marking then starts at 30 % of this growth. Reducing the growth itself isn't possible, because the 8 MiB are fixed. They
  // equal the size of a small cache.
  {
    flags: ["--heap-growing-percent=100", "--incremental-marking-hard-trigger=30"],
    decided: /--heap-growing-percent|--incremental-marking-|--optimize-for-size/,
  },
  // Bytecode bytes that a function in Node 20 runs between two optimization checks: 32 times the default. The startup burst
  // ends before optimization pays off. Later versions count calls and wait long enough.
  ...(Number.parseInt(process.versions.v8, 10) < 12
    ? [{ flags: ["--interrupt-budget=2162688"], decided: /--interrupt-budget|--jitless|--(no-?)?opt\b|--always-/ }]
    : []),
];

/** Modules that a manager loads after its start. Once a flag is set, V8 no longer uses code from Node's own cache. */
const loadedSoon = ["node:http", "node:cluster", "node:perf_hooks"] as const;

/**
 * Sets V8 flags that keep the heap close to the live size and avoid unnecessary compilation at the start. V8 lets its young
 * generation grow to 16 MiB, starts to collect the old one late and optimizes early. That suits compute-intensive programs,
 * while an operator mostly waits and holds its cache. V8 reads these flags at each decision, so they take effect
 * immediately. Skips settings that the process's own flags configure. Returns the flags that were set.
 */
export function keepV8Lean(
  given: string = `${process.execArgv.join(" ")} ${process.env.NODE_OPTIONS ?? ""}`,
): readonly string[] {
  for (const name of loadedSoon) process.getBuiltinModule(name);
  const words = given.replaceAll("_", "-");
  const flags = settings.filter(({ decided }) => !decided.test(words)).flatMap((setting) => setting.flags);
  for (const flag of flags) process.getBuiltinModule("node:v8").setFlagsFromString(flag);
  return flags;
}
