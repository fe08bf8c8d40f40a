// Follows docs/guides/migrate.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../../scripts/test-support/scaffold.ts";

/** Returns the page's shell blocks in order. */
export function blocks(): string[] {
  const page = readFileSync(join(checkout, "docs/guides/migrate.md"), "utf8");
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
}

/** Returns the page's flags for external kinds. */
export function externalApis(): string {
  return /--external-apis (\S+)/.exec(blocks().join(""))?.[1] ?? "";
}
