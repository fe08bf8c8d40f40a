import type { MarkdownRenderer } from "vitepress";

/** Longer code doesn't fit into a column beside another one. */
const longest = 24;
/** Longer code in text doesn't fit into a line of a phone. */
const longestInText = 34;

/** Short words with a hyphen, such as `--kind` and `cert-manager`, after which browsers break lines. */
const hyphenated = new RegExp(`(?<=^|[ >])(?=[^ <>&;]*-)[^ <>&;]{2,${longest}}(?=$|[ <,])`, "g");

/**
 * Lets browsers break long code after dots, slashes, commas and parentheses, so that it fits on
 * the page. Flags and short words in code are never broken.
 */
export function codeInText(markdown: MarkdownRenderer): void {
  const code = markdown.renderer.rules.code_inline;
  if (code === undefined) throw new Error("VitePress has no renderer for code in text");
  markdown.core.ruler.push("code-in-text", ({ tokens }) => {
    tokens.forEach(({ children }, index) => {
      const limit = /^t[hd]_open$/.test(tokens[index - 1]?.type ?? "") ? longest : longestInText;
      for (const token of children ?? []) {
        if (token.type === "code_inline" && token.content.length > limit) token.meta = { isBreakable: true };
      }
    });
  });
  markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const html = code(tokens, index, ...rest).replace(/(?<=>)[^<>]+(?=<\/code>)/, (text) =>
      text.replace(hyphenated, '<span class="word">$&</span>'),
    );
    return tokens[index]?.meta?.isBreakable ? html.replace(/(?<=>[^<]*[./,(=:])(?=[\w&{"'-])/g, "<wbr>") : html;
  };
}
