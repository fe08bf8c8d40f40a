import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export { snapshot, testDirectory } from "../../../scripts/test-support/tree.ts";

/** Creates a tree on the first call, and copies it for each caller. Call it at the top level of a test file. */
export function madeOnce(make: (root: string) => unknown): (root: string) => Promise<void> {
  let made: Promise<string> | undefined;
  afterAll(async () => {
    if (made !== undefined) rmSync(await made, { recursive: true, force: true });
  });
  return async (root) => {
    made ??= (async () => {
      const directory = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-made-")));
      await make(directory);
      return directory;
    })();
    cpSync(await made, root, { recursive: true });
  };
}
