import type { MarkdownRenderer } from "vitepress";

/** Shows above a block which file it is quoted from: what stands in brackets behind its language. */
export function fileNames(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence;
  if (fence === undefined) throw new Error("VitePress renders no fences any more");
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    // Before it is rendered: that takes the brackets out.
    const path = /\[([^\]#]+)(?:#[^\]]*)?\]/.exec(tokens[index]?.info ?? "")?.[1];
    const block = fence(tokens, index, ...rest);
    return path === undefined ? block : `<div class="file-name">${markdown.utils.escapeHtml(path)}</div>${block}`;
  };
}
