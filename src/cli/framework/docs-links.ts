import { ownManifest } from "./version.ts";

/** A page of the docs that has an anchor for each id. */
export type DocsPage = "cli" | "diagnostics" | "errors";

/** Returns the URL of an id's row in the reference. */
export function docsLink(page: DocsPage, id: string): string {
  return `${docsPage(page)}#${id}`;
}

/** Returns the URL of a page of the reference. */
export function docsPage(page: DocsPage): string {
  return pageAt(ownManifest().homepage, `reference/${page}`);
}

/** Returns the URL of a guide. */
export function guidePage(page: "migrate-stored-objects" | "readiness"): string {
  return pageAt(ownManifest().homepage, `guides/${page}`);
}

/** Returns the URL of a page. The home page is a GitHub repository, which shows the sources, or the docs site. */
export function pageAt(homepage: string, page: string): string {
  const home = homepage.replace(/#.*/s, "").replace(/(?<!\/)\/+$/, "");
  return home.startsWith("https://github.com/") ? `${home}/blob/main/docs/${page}.md` : `${home}/${page}.html`;
}

/**
 * Whether to print links to the docs on stderr: on a terminal and with `--verbose`, but not for programs that compare the output.
 */
export function showsLinks(
  stderr: { readonly isTTY?: boolean },
  globals: { readonly verbose: boolean; readonly quiet: boolean },
): boolean {
  return globals.verbose || (stderr.isTTY === true && !globals.quiet);
}
