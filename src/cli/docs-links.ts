import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./version.ts";

/** The page of the docs that a link leads to; both have an anchor for each id. */
export type DocsPage = "diagnostics" | "errors";

/** Where the docs are, unless the package names another home. */
const defaultHome = "https://kubewright.dev";

/** The address of an id's row in the reference. */
export function docsLink(page: DocsPage, id: string): string {
  return `${home()}/reference/${page}.html#${id}`;
}

/**
 * Whether addresses follow what is told on stderr: where somebody reads, not where a program compares, and wherever
 * more is asked for.
 */
export function showsLinks(
  stderr: { readonly isTTY?: boolean },
  globals: { readonly verbose: boolean; readonly quiet: boolean },
): boolean {
  return globals.verbose || (stderr.isTTY === true && !globals.quiet);
}

function home(): string {
  const { homepage } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { homepage?: string };
  return (homepage ?? defaultHome).replace(/#.*$/, "").replace(/\/+$/, "");
}
