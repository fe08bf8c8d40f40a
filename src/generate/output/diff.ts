import { createTwoFilesPatch } from "diff";
import type { PlannedWrite } from "./plan.ts";

/** Formats the changes as a unified diff for `git diff` and `patch`. `show` returns the path to print. */
export function unifiedDiff(writes: readonly PlannedWrite[], show: (path: string) => string): string {
  return writes
    .filter((write) => write.action !== "unchanged")
    .map(({ path, before, after }) => {
      const name = show(path);
      const from = before === undefined ? "/dev/null" : `a/${name}`;
      const to = after === undefined ? "/dev/null" : `b/${name}`;
      const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, { context: 3 });
      // The first line is only a row of equals signs.
      return patch.slice(patch.indexOf("\n") + 1);
    })
    .join("");
}
