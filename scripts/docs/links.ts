import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Page, Placed } from "./page.ts";
import { root } from "./pages.ts";

const { homepage } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { homepage: string };

/** Returns the error in a link between pages; `undefined` if there is none, or if it leads out of the repository. */
export function linkProblem({ page, text }: Placed, pages: ReadonlyMap<string, Page>): string | undefined {
  if (text.startsWith(homepage)) return siteProblem(text, pages);
  if (/^[a-z]+:/.test(text)) return /^https:/.test(text) ? undefined : "links out of here are https";
  const [path = "", anchor] = text.split("#");
  const target = path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path));
  if (target.startsWith("../")) return `${text} leads out of the repository`;
  if (!existsSync(join(root, target))) return `${target} is not here`;
  if (anchor === undefined) return undefined;
  const linked = pages.get(
    target.endsWith("/") || statSync(join(root, target)).isDirectory() ? `${target}/README.md` : target,
  );
  if (linked === undefined) return `${target} is none of the pages: nothing in it can be named`;
  return linked.anchors.has(anchor) ? undefined : `${target} has nothing that is called #${anchor}`;
}

/** Returns the error in a link to the site. Files of npm packages and of GitHub have such links. */
function siteProblem(address: string, pages: ReadonlyMap<string, Page>): string | undefined {
  const [path = "", anchor] = address.slice(homepage.length).split("#");
  // The files of assistants.ts.
  if (/^llms(-full)?\.txt$/.test(path)) return undefined;
  if (path.startsWith("schemas/")) return existsSync(join(root, path)) ? undefined : `${path} is not here`;
  const page = `docs/${path === "" ? "index.html" : path}`.replace(/\.html$/, ".md");
  const linked = pages.get(page);
  if (linked === undefined) return `${page} is not here`;
  return anchor === undefined || linked.anchors.has(anchor)
    ? undefined
    : `${page} has nothing that is called #${anchor}`;
}
