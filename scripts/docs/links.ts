import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { Page, Placed } from "./page.ts";
import { root } from "./pages.ts";

/** Returns the error in a link between pages; `undefined` if there is none, or if it leads out of the repository. */
export function linkProblem({ page, text }: Placed, pages: ReadonlyMap<string, Page>): string | undefined {
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
