/** Flags by which somebody has decided about the heap already. */
const decided = /--(min-|max-)?semi-space-|--heap-growing-percent|--optimize-for-size/;

/**
 * Keeps the heap near to what is in use. V8 lets its young generation grow to 16 MiB and begins to collect the old one late, for
 * the sake of programs that compute: an operator waits most of its time, and its cache is what stays. Both are read by V8 each time
 * that it decides, so that they count from here on. Does nothing where the process was started with flags of that kind.
 */
export function keepHeapLean(
  given: string = `${process.execArgv.join(" ")} ${process.env.NODE_OPTIONS ?? ""}`,
): boolean {
  if (decided.test(given.replaceAll("_", "-"))) return false;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=30");
  return true;
}
