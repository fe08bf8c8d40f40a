/** What is set, and the flags by which somebody has decided about it already. */
const settings = [
  { flags: ["--semi-space-growth-factor=1"], decided: /--(min-|max-)?semi-space-|--optimize-for-size/ },
  // Of the room that V8 gives the old generation before it collects it (as much as is alive, eight mebibytes at least) it begins to
  // mark when 30 % are taken. Less room would be simpler, but those eight mebibytes are fixed: as much as a small cache holds.
  {
    flags: ["--heap-growing-percent=100", "--incremental-marking-hard-trigger=30"],
    decided: /--heap-growing-percent|--incremental-marking-|--optimize-for-size/,
  },
];

/**
 * Keeps the heap near to what is in use. V8 lets its young generation grow to 16 MiB and begins to collect the old one late, for
 * the sake of programs that compute: an operator waits most of its time, and its cache is what stays. All are read by V8 each time
 * that it decides, so that they count from here on. Leaves alone what the process was started with flags for; gives the flags set.
 */
export function keepHeapLean(
  given: string = `${process.execArgv.join(" ")} ${process.env.NODE_OPTIONS ?? ""}`,
): readonly string[] {
  const words = given.replaceAll("_", "-");
  const flags = settings.filter(({ decided }) => !decided.test(words)).flatMap((setting) => setting.flags);
  for (const flag of flags) process.getBuiltinModule("node:v8").setFlagsFromString(flag);
  return flags;
}
