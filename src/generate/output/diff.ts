import { createTwoFilesPatch } from "diff";
import type { PlannedWrite } from "./plan.ts";

/** The changes as a unified diff, as `git diff` and `patch` know it. `show` gives the path that is printed. */
export function unifiedDiff(writes: readonly PlannedWrite[], show: (path: string) => string): string {
  return writes
    .filter((write) => write.action !== "unchanged")
    .map(({ path, before, after }) => {
      const name = show(path);
      const from = before === undefined ? "/dev/null" : `a/${name}`;
      const to = after === undefined ? "/dev/null" : `b/${name}`;
      const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, { context: 3 });
      // The first line is a row of equals signs, which says nothing.
      return patch.slice(patch.indexOf("\n") + 1);
    })
    .join("");
}
