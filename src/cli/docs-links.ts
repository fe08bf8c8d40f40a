import { ownManifest } from "./version.ts";

/** The page of the docs that a link leads to; both have an anchor for each id. */
export type DocsPage = "diagnostics" | "errors";

/** The address of an id's row in the reference. */
export function docsLink(page: DocsPage, id: string): string {
  return `${referenceAt(ownManifest().homepage, page)}#${id}`;
}

/** A page of the reference, by the package's home: a repository on GitHub, which shows the sources, or the site made of them. */
export function referenceAt(homepage: string, page: DocsPage): string {
  const home = homepage.replace(/#.*$/, "").replace(/\/+$/, "");
  return home.startsWith("https://github.com/")
    ? `${home}/blob/main/docs/reference/${page}.md`
    : `${home}/reference/${page}.html`;
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
