/** What is set, and the flags by which somebody has decided about it already. */
const settings = [
  { flags: ["--semi-space-growth-factor=1"], decided: /--(min-|max-)?semi-space-|--optimize-for-size/ },
  // Of the room that V8 gives the old generation before it collects it (as much as is alive, eight mebibytes at least) it begins to
  // mark when 30 % are taken. Less room would be simpler, but those eight mebibytes are fixed: as much as a small cache holds.
  {
    flags: ["--heap-growing-percent=100", "--incremental-marking-hard-trigger=30"],
    decided: /--heap-growing-percent|--incremental-marking-|--optimize-for-size/,
  },
  // Bytes of bytecode that a function of Node 20 runs between two looks at whether to optimize it, 32 times of what is usual: the
  // burst of a start is over before that has paid. Later versions count calls, and wait long enough.
  ...(Number.parseInt(process.versions.v8, 10) < 12
    ? [{ flags: ["--interrupt-budget=2162688"], decided: /--interrupt-budget|--jitless|--(no-?)?opt\b|--always-/ }]
    : []),
];

/** What a manager has Node load after its start: V8 takes no code from Node's own cache any more once a flag was set. */
const loadedSoon = ["node:http", "node:cluster", "node:perf_hooks"] as const;

/**
 * Keeps V8's heap near to what is in use, and its compiler from work that a start doesn't need. V8 lets its young generation grow to
 * 16 MiB, begins to collect the old one late and optimizes early, for the sake of programs that compute: an operator waits most of
 * its time, and its cache is what stays. All are read by V8 each time that it decides, so that they count from here on. Leaves alone
 * what the process was started with flags for; gives the flags set.
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
