import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "./directory.ts";

/** A call of the generator that left nothing to do, and the states of the files and directories that it depended on. */
export interface Stamp {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly node: string;
  readonly states: readonly (readonly [path: string, state: string])[];
}

/** The longest time in milliseconds by which file systems round the times of files down. */
const granularity = 2000;

/** The name of the stamp of the last call, in the directory of the cache. */
export const stampName = "unchanged.json";

/**
 * Returns whether the last call was the same, and nothing that it depended on has changed.
 *
 * @param args - arguments after `generate`
 * @throws Error if no stamp is stored, or if a path can't be accessed
 */
export function matchesStamp(args: readonly string[], cwd: string): boolean {
  const directory = cacheDirectory(cwd);
  if (directory === undefined) return false;
  const stamp = JSON.parse(readFileSync(join(directory, stampName), "utf8")) as Stamp;
  if (stamp.cwd !== cwd || stamp.node !== process.version || args.join("\0") !== stamp.args.join("\0")) return false;
  return stamp.states.every(([path, state]) => stateOf(path) === state);
}

/**
 * Returns a stamp, or undefined if an input was changed after a time, because its content may be newer than what was read.
 *
 * @param inputs - paths of files and directories that were read, or would have been if they existed
 * @param outputs - paths that may be changed until now
 * @param since - time in milliseconds since the epoch, before the first input was read
 */
export function stampOf(
  call: Pick<Stamp, "args" | "cwd">,
  inputs: Iterable<string>,
  outputs: Iterable<string>,
  since: number,
): Stamp | undefined {
  const own = new Set(outputs);
  const paths = [...new Set([...inputs, ...own])];
  const isNew = (path: string) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && Math.max(stat.mtimeMs, stat.ctimeMs) >= since - granularity;
  };
  try {
    if (paths.some((path) => !own.has(path) && isNew(path))) return undefined;
    const states = paths.map((path) => [path, stateOf(path)] as const);
    return { args: call.args, cwd: call.cwd, node: process.version, states };
  } catch {
    // A path whose state can't be read may change without notice.
    return undefined;
  }
}

/** Describes a file or directory. It changes whenever its content does, even if its times are set back. */
function stateOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "" : [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(" ");
}
