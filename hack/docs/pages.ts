import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Page, readPage } from "./page.ts";

/** The top of the repository. */
export const root = join(import.meta.dirname, "../..");

const beside = ["README.md", "CONTRIBUTING.md", "runtime/README.md"];

/** Paths of all pages that are held to what they say, relative to the repository, with `/`. */
export function pagePaths(): string[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !/\/(node_modules|\.vitepress)\//.test(path));
  return [...beside, ...docs.sort()];
}

/** Reads all pages. */
export function allPages(): Page[] {
  return pagePaths().map((path) => readPage(path, readFileSync(join(root, path), "utf8")));
}

/** Pages for those who work on kubewright; all others speak to its users. */
export function isForContributors(path: string): boolean {
  return /^(README|CONTRIBUTING|docs\/architecture)\.md$|^docs\/reference\//.test(path);
}
