import type { MarkdownOptions } from "vitepress";

type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];

/**
 * Removes the elements around code that has the color of plain text. They are a quarter of the elements of a tutorial, and a
 * browser calculates the style and the layout of each.
 */
export const plainCode: Transformer = {
  name: "plain-code",
  code() {
    const plain = this.codeToTokens("", { ...this.options, lang: "text" }).fg?.toLowerCase();
    for (const line of this.lines) {
      line.children = line.children.flatMap((part) =>
        part.type === "element" && String(part.properties.style).toLowerCase() === plain ? part.children : [part],
      );
    }
  },
};
