import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Page, readPage } from "./page.ts";

/** The root of the repository. */
export const root = join(import.meta.dirname, "../..");

const beside = [
  "README.md",
  "CONTRIBUTING.md",
  "packages/runtime/README.md",
  "packages/apiserver/README.md",
  "packages/cel/README.md",
  "packages/create-kubewright/README.md",
  "bench/results.md",
];

/** Returns the paths of all pages that are tested, relative to the repository, with `/`. */
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

/** Whether a page is for contributors; all others are for users. */
export function isForContributors(path: string): boolean {
  return /^(README|CONTRIBUTING|bench\/results|docs\/project\/architecture)\.md$|^docs\/reference\//.test(path);
}
