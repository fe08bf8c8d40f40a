import type { MarkdownRenderer } from "vitepress";

/** Longer code doesn't fit into a column beside another one. */
const longest = 24;

/** Lets browsers break long code in tables after dots, slashes, commas and parentheses, so that tables fit on the page. */
export function codeInTables(markdown: MarkdownRenderer): void {
  const code = markdown.renderer.rules.code_inline;
  if (code === undefined) throw new Error("VitePress has no renderer for code in text");
  markdown.core.ruler.push("code-in-tables", ({ tokens }) => {
    tokens.forEach(({ children }, index) => {
      if (!/^t[hd]_open$/.test(tokens[index - 1]?.type ?? "")) return;
      for (const token of children ?? []) {
        if (token.type === "code_inline" && token.content.length > longest) token.meta = { isBreakable: true };
      }
    });
  });
  markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const html = code(tokens, index, ...rest);
    return tokens[index]?.meta?.isBreakable ? html.replace(/(?<=>[^<]*[./,(=:])(?=[\w&{"'-])/g, "<wbr>") : html;
  };
}
