import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export { snapshot, testDirectory } from "../../../scripts/test-support/tree.ts";

/** Makes a tree when it is first asked for, and gives each caller a copy. To be called where tests are declared. */
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
