// docs/migrate.md, as its readers take it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../lib/scaffold.ts";

/** The fenced blocks of the page for a shell, in their order. */
export function blocks(): string[] {
  const page = readFileSync(join(checkout, "docs/migrate.md"), "utf8");
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
}

/** Flags for external kinds, as on the page. */
export function externalApis(): string {
  return /--external-apis (\S+)/.exec(blocks().join(""))?.[1] ?? "";
}
