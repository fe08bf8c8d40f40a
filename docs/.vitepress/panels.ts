import container from "markdown-it-container";
import type { MarkdownRenderer } from "vitepress";

type Token = Parameters<NonNullable<MarkdownRenderer["renderer"]["rules"]["fence"]>>[0][number];

/**
 * Adds the container `panels`, whose code groups are beside each other. The theme shows the same tab in all of them. In a
 * code group, the tab of a quoted block has the title after the brackets, or the name of its file.
 */
export function panels(markdown: MarkdownRenderer): void {
  markdown.use(container, "panels", {
    render: (tokens: Token[], index: number) => (tokens[index]?.nesting === 1 ? '<div class="panels">\n' : "</div>\n"),
  });
  markdown.core.ruler.push("tab-titles", ({ tokens }) => {
    let isInGroup = false;
    for (const token of tokens) {
      if (token.type === "container_code-group_open") isInGroup = true;
      if (token.type === "container_code-group_close") isInGroup = false;
      if (isInGroup && token.type === "fence")
        token.info = token.info.replace(
          /\[(?:[^\]#]*\/)?([^\]#]+)(?:#[^\]]*)?\](?: (.+))?$/,
          (_, name, title = name) => `[${title}]`,
        );
    }
  });
}
