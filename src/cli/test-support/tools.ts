import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { testDirectory } from "../../scaffold/test-support/tree.ts";

/** Creates a directory for `PATH` with programs that only print their version, so that tests don't need the real ones. */
export function tools(...names: string[]): string {
  const directory = testDirectory();
  for (const name of names) {
    writeFileSync(join(directory, name), `#!/bin/sh\necho "${name} v1.2.3"\n`, { mode: 0o755 });
  }
  return directory;
}
