import type { MarkdownRenderer } from "vitepress";
import { nameInProject } from "./name-in-project.ts";

/**
 * Renders the file name of a quoted block above it. The name is in brackets after the language. Brackets without a slash are
 * titles of tabs in a code group.
 */
export function fileNames(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence;
  if (fence === undefined) throw new Error("VitePress has no renderer for fenced blocks");
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    // Read it before rendering, which removes the brackets.
    const path = /\[([^\]#]*\/[^\]#]*)(?:#[^\]]*)?\]/.exec(tokens[index]?.info ?? "")?.[1];
    const block = fence(tokens, index, ...rest);
    const name = path === undefined ? undefined : nameInProject(path);
    return name === undefined ? block : `<div class="file-name">${markdown.utils.escapeHtml(name)}</div>${block}`;
  };
}
