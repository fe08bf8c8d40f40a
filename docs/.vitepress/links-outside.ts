import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/** Rewrites links to files of the repository that are not pages (`../examples/game`) to their URL on GitHub. */
export function linksOutside(markdown: MarkdownRenderer, { prefix }: { prefix: string }): void {
  markdown.core.ruler.push("links-outside", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.attrGet("href");
      if (target === null || !target.startsWith("../")) continue;
      const path = posix.join("docs", posix.dirname(env.relativePath), target);
      if (!path.startsWith("docs/")) token.attrSet("href", `${prefix}/${path}`);
    }
  });
}
